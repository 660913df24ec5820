//! Values of a TOML table, taken one by one with their places.

use std::ops::Range;

use glam::DVec3;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Trouble;
use crate::document::Axis;

/// A value and where it was said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// A table whose keys are known.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    table: &'a DeTable<'a>,
    span: &'a Range<usize>,
}

impl<'a> Fields<'a> {
    /// Refuses keys that are not among the known ones.
    pub(super) fn new(
        table: &'a DeTable<'a>,
        span: &'a Range<usize>,
        what: &str,
        known: &[&str],
    ) -> Result<Self, Trouble> {
        for (key, _) in table {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let hint = match nearest(name, known) {
                    Some(near) => format!("is it `{near}`?"),
                    None => format!("known are {}", known.join(", ")),
                };
                let message = format!("{what} has no `{name}`; {hint}");
                return Err(Trouble::new(&key.span(), message));
            }
        }
        Ok(Self { table, span })
    }

    /// Where the table stands.
    pub(super) fn span(&self) -> &'a Range<usize> {
        self.span
    }

    fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// A value that has to be there.
    pub(super) fn needed<T>(&self, key: &str, value: Option<T>, what: &str) -> Result<T, Trouble> {
        value.ok_or_else(|| Trouble::new(self.span, format!("{what} needs `{key}`")))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<Said<String>>, Trouble> {
        self.value(key).map(|value| text(value, key)).transpose()
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, Trouble> {
        let flag = |value: &Spanned<DeValue<'_>>| {
            value.get_ref().as_bool().ok_or_else(|| wrong(value, key, "true or false"))
        };
        self.value(key).map(flag).transpose()
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<Said<f64>>, Trouble> {
        self.value(key).map(|value| number(value, key)).transpose()
    }

    /// A number above zero.
    pub(super) fn positive(&self, key: &str) -> Result<Option<Said<f64>>, Trouble> {
        let said = self.number(key)?;
        match said {
            Some(Said { value, span }) if value <= 0.0 => {
                Err(Trouble::new(&span, format!("`{key}` is {value}; give a number above 0")))
            }
            said => Ok(said),
        }
    }

    /// A whole number from 0.
    pub(super) fn whole(&self, key: &str) -> Result<Option<Said<u32>>, Trouble> {
        self.value(key).map(|value| whole(value, key)).transpose()
    }

    /// A list of numbers.
    pub(super) fn numbers(&self, key: &str) -> Result<Option<Said<Vec<f64>>>, Trouble> {
        self.value(key).map(|value| numbers(value, key)).transpose()
    }

    /// Three numbers.
    pub(super) fn point(&self, key: &str) -> Result<Option<DVec3>, Trouble> {
        let Some(said) = self.numbers(key)? else { return Ok(None) };
        let three = <[f64; 3]>::try_from(said.value.as_slice());
        let problem = |_| Trouble::new(&said.span, format!("`{key}` is [x, y, z], three numbers"));
        three.map(|point| Some(DVec3::from_array(point))).map_err(problem)
    }

    /// A list of anything.
    pub(super) fn list(&self, key: &str) -> Result<&'a [Spanned<DeValue<'a>>], Trouble> {
        match self.value(key) {
            None => Ok(&[]),
            Some(value) => items(value, key, "a list, [ ... ]"),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<Said<String>>, Trouble> {
        self.list(key)?.iter().map(|value| text(value, key)).collect()
    }

    /// A value as it is.
    pub(super) fn any(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.value(key)
    }

    /// Tables that were given as `[[key]]`.
    pub(super) fn tables(
        &self,
        key: &str,
    ) -> Result<Vec<(&'a DeTable<'a>, Range<usize>)>, Trouble> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let expected = format!("tables; write [[{key}]] above each");
        let items = items(value, key, &expected)?;
        let table = |item: &'a Spanned<DeValue<'a>>| {
            let table = item.get_ref().as_table().ok_or_else(|| wrong(item, key, &expected))?;
            Ok((table, item.span()))
        };
        items.iter().map(table).collect()
    }

    /// Metres in a unit.
    pub(super) fn units(&self, key: &str) -> Result<Option<f64>, Trouble> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let metres = match value.get_ref().as_str() {
            // A number in quotes is more likely a slip than a unit.
            Some(name) if name.parse::<f64>().is_ok() => 0.0,
            Some(name) => crate::units::parse_unit(name).unwrap_or(0.0),
            None => number(value, key)?.value,
        };
        if metres > 0.0 {
            return Ok(Some(metres));
        }
        let expected =
            "\"m\", \"cm\", \"mm\", \"km\", \"in\", \"ft\" or metres in a unit, such as 0.01";
        Err(Trouble::new(&value.span(), format!("`{key}` is {expected}")))
    }

    /// The axis that points up.
    pub(super) fn axis(&self, key: &str) -> Result<Option<Axis>, Trouble> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref().as_str() {
            Some("x") => Ok(Some(Axis::X)),
            Some("y") => Ok(Some(Axis::Y)),
            Some("z") => Ok(Some(Axis::Z)),
            _ => Err(Trouble::new(&value.span(), format!("`{key}` is \"x\", \"y\" or \"z\""))),
        }
    }
}

pub(super) fn text(value: &Spanned<DeValue<'_>>, key: &str) -> Result<Said<String>, Trouble> {
    let text = value.get_ref().as_str().ok_or_else(|| wrong(value, key, "text in quotes"))?;
    if text.is_empty() {
        return Err(Trouble::new(&value.span(), format!("`{key}` is empty")));
    }
    Ok(Said { value: text.to_owned(), span: value.span() })
}

pub(super) fn number(value: &Spanned<DeValue<'_>>, key: &str) -> Result<Said<f64>, Trouble> {
    let text = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        _ => return Err(wrong(value, key, "a number")),
    };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Said { value: number, span: value.span() }),
        _ => Err(wrong(value, key, "a finite number")),
    }
}

pub(super) fn whole(value: &Spanned<DeValue<'_>>, key: &str) -> Result<Said<u32>, Trouble> {
    let integer = value.get_ref().as_integer().filter(|integer| integer.radix() == 10);
    let number = integer.and_then(|integer| integer.as_str().parse::<u32>().ok());
    let number = number.ok_or_else(|| wrong(value, key, "a whole number from 0"))?;
    Ok(Said { value: number, span: value.span() })
}

pub(super) fn numbers(value: &Spanned<DeValue<'_>>, key: &str) -> Result<Said<Vec<f64>>, Trouble> {
    let list = items(value, key, "a list of numbers")?;
    let numbers = list.iter().map(|item| number(item, key).map(|said| said.value));
    Ok(Said { value: numbers.collect::<Result<_, _>>()?, span: value.span() })
}

pub(super) fn items<'a>(
    value: &'a Spanned<DeValue<'a>>,
    key: &str,
    expected: &str,
) -> Result<&'a [Spanned<DeValue<'a>>], Trouble> {
    let list = value.get_ref().as_array().ok_or_else(|| wrong(value, key, expected))?;
    Ok(list)
}

/// The value is of another kind than it should be.
pub(super) fn wrong(value: &Spanned<DeValue<'_>>, key: &str, expected: &str) -> Trouble {
    let found = value.get_ref().type_str();
    Trouble::new(&value.span(), format!("`{key}` is {expected}, not a value of the kind {found}"))
}

/// The known key that is nearest to a name by its letters, if it is near.
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let off = |key: &str| {
        // Letters that are out of place, and those that are missing: enough to catch slips of the
        // pen.
        let (a, b): (Vec<char>, Vec<char>) = (name.chars().collect(), key.chars().collect());
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().take(64).enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let exchanged = corner + usize::from(x != y);
                corner = row[j + 1];
                row[j + 1] = exchanged.min(row[j] + 1).min(corner + 1);
            }
        }
        row[b.len()]
    };
    let best = known.iter().copied().min_by_key(|key| off(key))?;
    (off(best) <= 1 + name.chars().count() / 3).then_some(best)
}
