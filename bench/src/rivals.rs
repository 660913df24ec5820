//! Gets the rivals and builds their players: FCL, Coal and Bullet in C++, parry in Rust.
//!
//! What is missing is installed with apt-get and pip, the latter into an environment of the bench's
//! own, unless that is forbidden. Players are built for the processor at hand; a player is built
//! again when its source is newer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::Failure;
use crate::engine::Engine;

/// How the C++ players are compiled.
pub(crate) const CXX_FLAGS: [&str; 3] = ["-std=c++17", "-O3", "-march=native"];
/// How parry's is.
pub(crate) const RUST_FLAGS: &str = "-C target-cpu=native";

/// Libraries that were built for any processor align Eigen's types to 16 bytes; their players must
/// agree.
const GENERIC_EIGEN: &str = "-DEIGEN_MAX_ALIGN_BYTES=16";
const EIGEN: &str = "-I/usr/include/eigen3";
const COAL: &str = "coal==3.0.3";

/// Where things are and what may be done.
pub(crate) struct Kit {
    /// The bench's own directory, with its sources.
    pub(crate) root: PathBuf,
    /// Where to build.
    pub(crate) work: PathBuf,
    /// Whether missing packages may be installed.
    pub(crate) may_install: bool,
}

/// Engines that can be run, and why others cannot.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) engines: Vec<Engine>,
    pub(crate) absent: Vec<(&'static str, String)>,
}

impl Kit {
    /// Every engine of those named that can be had.
    pub(crate) fn field(&self, wanted: &[&'static str]) -> Result<Field, Failure> {
        fs::create_dir_all(&self.work)?;
        let mut field = Field::default();
        for &name in wanted {
            match self.command(name) {
                Ok(command) => field.engines.push(Engine { name, command }),
                Err(failure) => field.absent.push((name, failure.to_string())),
            }
        }
        Ok(field)
    }

    fn command(&self, name: &str) -> Result<Vec<String>, Failure> {
        let built = match name {
            "ours" | "ours-count" | "reference" | "naive" => {
                let program = std::env::current_exe()?.display().to_string();
                return Ok(vec![program, "play".to_owned(), name.to_owned()]);
            }
            "fcl" => self.fcl()?,
            "fcl-native" => self.fcl_native()?,
            "coal" => self.coal()?,
            "bullet" => self.bullet()?,
            _ => return Ok(vec![shown(&self.parry("parry")?), name.to_owned()]),
        };
        Ok(vec![shown(&built)])
    }

    fn fcl(&self) -> Result<PathBuf, Failure> {
        self.need("/usr/include/fcl/config.h", "libfcl-dev")?;
        self.need("/usr/include/eigen3/Eigen/Core", "libeigen3-dev")?;
        self.compile("fcl", "fcl.cpp", &[GENERIC_EIGEN, EIGEN], &["-lfcl", "-lccd"])
    }

    /// See the head of rivals/fcl.cpp.
    fn fcl_native(&self) -> Result<PathBuf, Failure> {
        self.need("/usr/include/fcl/config.h", "libfcl-dev")?;
        self.need("/usr/include/eigen3/Eigen/Core", "libeigen3-dev")?;
        let headers = self.work.join("fcl-headers");
        if !headers.join("fcl/config.h").exists() {
            copy_without_extern_templates(Path::new("/usr/include/fcl"), &headers.join("fcl"))?;
        }
        let include = format!("-I{}", headers.display());
        self.compile("fcl-native", "fcl.cpp", &[&include, EIGEN], &["-lfcl", "-lccd"])
    }

    fn coal(&self) -> Result<PathBuf, Failure> {
        self.need("/usr/include/eigen3/Eigen/Core", "libeigen3-dev")?;
        let prefix = self.coal_prefix()?;
        let include = format!("-I{}/include", prefix.display());
        let libraries = format!("-L{}/lib", prefix.display());
        let at_run_time = format!("-Wl,-rpath,{}/lib", prefix.display());
        let quiet = "-Wno-deprecated-declarations";
        self.compile(
            "coal",
            "coal.cpp",
            &[GENERIC_EIGEN, &include, EIGEN, quiet],
            &[&libraries, "-lcoal", &at_run_time],
        )
    }

    /// Where the wheel put its headers and libraries.
    fn coal_prefix(&self) -> Result<PathBuf, Failure> {
        let environment = self.work.join("python");
        let find = || {
            let versions = fs::read_dir(environment.join("lib")).ok()?;
            versions
                .filter_map(|entry| Some(entry.ok()?.path().join("site-packages/cmeel.prefix")))
                .find(|prefix| prefix.join("include/coal").exists())
        };
        if let Some(prefix) = find() {
            return Ok(prefix);
        }
        if !self.may_install {
            return Err(Failure::new(format!("{COAL} is not installed")));
        }
        eprintln!("installing {COAL}");
        done(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        done(Command::new(environment.join("bin/pip")).args(["install", "--quiet", COAL]))?;
        find().ok_or_else(|| Failure::new(format!("{COAL} has no headers")))
    }

    fn bullet(&self) -> Result<PathBuf, Failure> {
        self.need("/usr/include/bullet/btBulletCollisionCommon.h", "libbullet-dev")?;
        self.compile(
            "bullet",
            "bullet.cpp",
            &["-I/usr/include/bullet"],
            &["-lBulletCollision", "-lLinearMath"],
        )
    }

    /// Parry's programs are built by cargo, apart from ours because of the flags.
    pub(crate) fn parry(&self, program: &str) -> Result<PathBuf, Failure> {
        let target = self.work.join("native");
        let path = target.join("release").join(program);
        if !path.exists() {
            eprintln!("building {program}");
        }
        let mut command = self.cargo(&target, &["--package", "elbowroom-bench-parry"]);
        command.env("RUSTFLAGS", RUST_FLAGS).env("CARGO_PROFILE_RELEASE_LTO", "fat");
        done(&mut command)?;
        Ok(path)
    }

    /// The program that measures our models' bytes, built where this one was, from the same parts.
    pub(crate) fn model_bytes(&self) -> Result<PathBuf, Failure> {
        let program = std::env::current_exe()?;
        let target = program.ancestors().nth(2).unwrap_or(&self.work);
        done(&mut self.cargo(target, &["--bin", "model-bytes"]))?;
        Ok(target.join("release/model-bytes"))
    }

    fn cargo(&self, target: &Path, what: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(["build", "--release", "--quiet", "--locked", "--manifest-path"]);
        command.arg(self.root.join("Cargo.toml")).args(what).arg("--target-dir").arg(target);
        command
    }

    /// Installs a Debian package unless its file is there.
    fn need(&self, file: &str, package: &str) -> Result<(), Failure> {
        if Path::new(file).exists() {
            return Ok(());
        }
        if !self.may_install {
            return Err(Failure::new(format!("{package} is not installed")));
        }
        eprintln!("installing {package}");
        let quiet = ["install", "--yes", "--quiet=2", "--no-install-recommends", package];
        let install =
            || done(Command::new("apt-get").args(quiet).env("DEBIAN_FRONTEND", "noninteractive"));
        if install().is_err() {
            // Perhaps it does not know of the package yet.
            done(Command::new("apt-get").args(["update", "--quiet=2"]))?;
            install()?;
        }
        if Path::new(file).exists() {
            Ok(())
        } else {
            Err(Failure::new(format!("{package} does not bring {file}")))
        }
    }

    fn compile(
        &self,
        name: &str,
        source: &str,
        flags: &[&str],
        libraries: &[&str],
    ) -> Result<PathBuf, Failure> {
        let rivals = self.root.join("rivals");
        let (source, program) = (rivals.join(source), self.work.join(name));
        let newest = [changed(&source), changed(&rivals.join("player.hpp"))].into_iter().max();
        if changed(&program) > newest.flatten() {
            return Ok(program);
        }
        eprintln!("compiling {name}");
        let mut command = Command::new("g++");
        command.args(CXX_FLAGS).args(flags).arg(&source).arg("-o").arg(&program).args(libraries);
        done(&mut command)?;
        Ok(program)
    }
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Runs a command to its end; its output goes where errors go, for the table is what is printed.
fn done(command: &mut Command) -> Result<(), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let first = errors.lines().find(|line| line.contains("rror")).or(errors.lines().last());
    Err(Failure::new(format!("{name} failed: {}", first.unwrap_or("it says nothing"))))
}

/// Copies headers, leaving out every declaration that keeps a template from being compiled here.
fn copy_without_extern_templates(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            copy_without_extern_templates(&path, &to.join(name))?;
        } else {
            let text = fs::read_to_string(&path)?;
            fs::write(to.join(name), without_extern_templates(&text))?;
        }
    }
    Ok(())
}

/// Each such declaration begins a line and ends at a semicolon.
fn without_extern_templates(text: &str) -> String {
    const BEGIN: &str = "\nextern template";
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(BEGIN) {
        kept.push_str(&rest[..=at]);
        let declaration = &rest[at + 1..];
        rest = declaration.find(';').map_or("", |end| &declaration[end + 1..]);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_extern_templates_are_left_out() {
        let text = "int a;\nextern template\nclass B<double>;\nextern \"C\" int c;\n\
                    extern template double d(double x,\n    double y);\nint e;\n";
        let kept = without_extern_templates(text);
        assert_eq!(kept, "int a;\n\nextern \"C\" int c;\n\nint e;\n");
    }

    #[test]
    fn what_may_not_be_installed_is_absent() {
        let work = std::env::temp_dir();
        let kit = Kit { root: work.clone(), work, may_install: false };
        let failure = kit.need("/nowhere/at/all.h", "libnowhere-dev").unwrap_err();
        assert!(failure.to_string().contains("libnowhere-dev"));
    }
}
