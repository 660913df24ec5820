//! The schema says what the reader says.

use elbowroom_io::scene_file::Outline;
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use super::bad_files::FAULTS;
use super::common::example;

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(integer) => {
            integer.as_str().parse::<i64>().map_or(Value::Null, Value::from)
        }
        DeValue::Float(float) => float.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Datetime(_) => Value::Null,
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => Value::Object(object(table)),
    }
}

fn object(table: &DeTable<'_>) -> Map<String, Value> {
    table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref()))).collect()
}

const GOOD: [&str; 8] = [
    "[[model]]\nfile = 'a.obj'\n",
    "frames = 10\nunits = 0.01\n[[model]]\nfile = 'a.obj'\nrotation = [0, 0, 1, 0]\nposes = 'p.json'\n",
    "[[model]]\nfile = 'a.####.obj'\nfps = 24\nstart = 1\nspeed = 2\nloop = true\n",
    "[[character]]\nfile = 'a.glb'\nclip = ''\nself = true\n",
    "[[character]]\nfile = 'a.glb'\nmotion = 'b.bvh'\n",
    "[[character]]\nfile = 'a.glb'\nmotion = { file = 'b.bvh', clip = 'x', root_scale = 1, keep_rest_frame = true }\n",
    "[[character]]\nfile = 'a.xml'\nvalues = [[1, 2], [3, 4.5]]\nup = 'z'\nunits = 'in'\n",
    "[[crowd]]\ntrajectories = 'a.csv'\ncharacters = ['x', 'y']\nseed = 1\npeople = 5\nfps = 25\nheading = 3\n",
];

#[test]
fn schema_and_reader_agree() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../../../docs/scene.schema.json")).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let (mut good, mut bad, mut skipped) = (0, 0, 0);
    let example = example();
    let texts = GOOD.iter().copied().chain([example.as_str()]).chain(FAULTS.map(|fault| fault.0));
    for text in texts {
        let Ok(table) = DeTable::parse(text) else {
            skipped += 1;
            continue;
        };
        let value = Value::Object(object(table.get_ref()));
        let reads = Outline::parse(text).is_ok();
        // That the first frame comes before the last is more than a schema can say.
        if text.contains("[5, 3]") {
            skipped += 1;
            continue;
        }
        assert_eq!(schema.is_valid(&value), reads, "{text}");
        if reads { good += 1 } else { bad += 1 }
    }
    assert_eq!((good, bad, skipped), (9, 34, 2));
}
