//! Which release, where it lies, and how it gets there.

use std::env::consts::{ARCH, OS};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use forkproof_oracle::Family;
use serde_json::Value;

use super::product::Product;
use super::{InstallError, npm};
use crate::Executable;

/// How the name of an installation starts that is not complete.
const HALF: &str = ".half-";

/// An installed release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The program.
    pub program: Executable,
    /// Its version.
    pub version: String,
    /// Whether it is the one that the project pins.
    pub pinned: bool,
}

/// The release of `version` of the family's product, or the pinned one, for the project at `root`; installed below
/// `root/target` if it is not there. Several runs can call this at the same time.
///
/// # Errors
///
/// The version is none, is not published or has nothing for this machine, or npm, the network or
/// the disk fails.
pub fn install(
    root: &Path,
    family: Family,
    version: Option<&str>,
) -> Result<Release, InstallError> {
    let product = Product::of(family);
    let manifests = root.join("targets").join(family.name());
    let pin = pinned_version(&manifests.join("package.json"), product)?;
    let version = version.unwrap_or(&pin);
    if !is_version(version) {
        return Err(InstallError::NotAVersion(version.to_owned()));
    }
    let pinned = version == pin;
    let base = root.join("target/forkproof");
    let folder = base.join(format!("{}-{version}", family.name()));
    let path = match product.program(&folder) {
        Some(path) => path,
        None => {
            let locked = pinned.then_some(manifests.as_path());
            install_into(&base, &folder, product, version, locked)?
        }
    };
    let program = Executable { family, path };
    Ok(Release { program, version: version.to_owned(), pinned })
}

/// Installs `version` as `folder`, by manifest and lock if there are some.
fn install_into(
    base: &Path,
    folder: &Path,
    product: &Product,
    version: &str,
    locked: Option<&Path>,
) -> Result<PathBuf, InstallError> {
    fs::create_dir_all(base).map_err(io("make", base))?;
    let path = base.join("install.lock");
    let lock = File::create(&path).map_err(io("make", &path))?;
    lock.lock().map_err(io("lock", &path))?;
    // Another run may have done it while we waited.
    if let Some(path) = product.program(folder) {
        return Ok(path);
    }
    sweep(base);
    let half = tempfile::Builder::new()
        .prefix(HALF)
        .tempdir_in(base)
        .map_err(io("make a folder in", base))?;
    match locked {
        Some(manifests) => {
            for name in ["package.json", "package-lock.json"] {
                let path = manifests.join(name);
                fs::copy(&path, half.path().join(name)).map_err(io("copy", &path))?;
            }
            npm::install_locked(half.path(), product, version)?;
        }
        None => {
            // Without a manifest npm takes one of a folder above.
            let path = half.path().join("package.json");
            fs::write(&path, "{\"private\":true}\n").map_err(io("write", &path))?;
            npm::install_version(half.path(), product, version)?;
        }
    }
    let none = || InstallError::NoBinary {
        family: product.family,
        version: version.to_owned(),
        machine: format!("{OS} on {ARCH}"),
    };
    product.program(half.path()).ok_or_else(none)?;
    // Whatever has no executable in it is of no use to anyone.
    let _ = fs::remove_dir_all(folder);
    fs::rename(half.path(), folder).map_err(io("move an installation to", folder))?;
    product.program(folder).ok_or_else(none)
}

/// Removes what a killed installation has left; the caller holds the lock.
fn sweep(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(HALF) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn pinned_version(path: &Path, product: &Product) -> Result<String, InstallError> {
    let no_pin = |what| InstallError::NoPin { path: path.to_owned(), what };
    let text = fs::read_to_string(path).map_err(|error| no_pin(error.to_string()))?;
    let manifest: Value = serde_json::from_str(&text).map_err(|error| no_pin(error.to_string()))?;
    let Some(version) = manifest["dependencies"][product.package].as_str() else {
        return Err(no_pin(format!("it does not depend on {}", product.package)));
    };
    if !is_version(version) {
        return Err(no_pin(format!("`{version}` is not one version")));
    }
    Ok(version.to_owned())
}

fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(number)
}

fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InstallError {
    let path = path.to_owned();
    move |source| InstallError::Io { what, path, source }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use forkproof_oracle::Family;

    use super::{InstallError, Product, install, is_version, pinned_version};

    fn project() -> &'static Path {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
        root.expect("a workspace above")
    }

    #[test]
    fn a_version_is_three_numbers() {
        for text in ["0.171.0", "10.0.123"] {
            assert!(is_version(text), "{text:?}");
        }
        for text in
            ["", "1.2", "1.2.3.4", "1.2.x", "^1.2.3", "1.2.3-a", "1..3", "../1.2.3", "latest"]
        {
            assert!(!is_version(text), "{text:?}");
        }
    }

    #[test]
    fn the_project_pins_one_version_of_each_product() {
        for (family, pinned) in [(Family::Claude, "2.1.332"), (Family::Codex, "0.171.0")] {
            let manifest = project().join("targets").join(family.name()).join("package.json");
            let version = pinned_version(&manifest, Product::of(family));
            assert_eq!(version.ok().as_deref(), Some(pinned));
        }
    }

    #[test]
    fn what_is_no_version_is_refused_before_anything_is_done() {
        let refused = install(project(), Family::Codex, Some("latest"));
        assert!(matches!(refused, Err(InstallError::NotAVersion(text)) if text == "latest"));
    }
}
