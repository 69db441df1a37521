//! Which release, where it lies, and how it gets there.

use std::env::consts::{ARCH, OS};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{InstallError, npm};

/// How the name of an installation starts that is not complete.
const HALF: &str = ".half-";

/// An installed release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Name of the program.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The native executable.
    pub binary: PathBuf,
    /// Whether it is the one that the project pins.
    pub pinned: bool,
}

/// The release of `version`, or the pinned one, for the project at `root`; installed below
/// `root/target` if it is not there. Several runs can call this at the same time.
///
/// # Errors
///
/// The version is none, is not published or has nothing for this machine, or npm, the network or
/// the disk fails.
pub fn install(root: &Path, version: Option<&str>) -> Result<Release, InstallError> {
    let manifests = root.join("targets/codex");
    let pin = pinned_version(&manifests.join("package.json"))?;
    let version = version.unwrap_or(&pin);
    if !is_version(version) {
        return Err(InstallError::NotAVersion(version.to_owned()));
    }
    let pinned = version == pin;
    let base = root.join("target/forkproof");
    let folder = base.join(format!("codex-{version}"));
    let binary = match find_binary(&folder) {
        Some(binary) => binary,
        None => {
            let locked = pinned.then_some(manifests.as_path());
            install_into(&base, &folder, version, locked)?
        }
    };
    Ok(Release { name: "codex".to_owned(), version: version.to_owned(), binary, pinned })
}

/// Installs `version` as `folder`, by manifest and lock if there are some.
fn install_into(
    base: &Path,
    folder: &Path,
    version: &str,
    locked: Option<&Path>,
) -> Result<PathBuf, InstallError> {
    fs::create_dir_all(base).map_err(io("make", base))?;
    let path = base.join("install.lock");
    let lock = File::create(&path).map_err(io("make", &path))?;
    lock.lock().map_err(io("lock", &path))?;
    // Another run may have done it while we waited.
    if let Some(binary) = find_binary(folder) {
        return Ok(binary);
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
            npm::install_locked(half.path(), version)?;
        }
        None => {
            // Without a manifest npm takes one of a folder above.
            let path = half.path().join("package.json");
            fs::write(&path, "{\"private\":true}\n").map_err(io("write", &path))?;
            npm::install_version(half.path(), version)?;
        }
    }
    let none = || InstallError::NoBinary {
        version: version.to_owned(),
        machine: format!("{OS} on {ARCH}"),
    };
    find_binary(half.path()).ok_or_else(none)?;
    // Whatever has no executable in it is of no use to anyone.
    let _ = fs::remove_dir_all(folder);
    fs::rename(half.path(), folder).map_err(io("move an installation to", folder))?;
    find_binary(folder).ok_or_else(none)
}

/// Removes what a killed installation has left; the caller holds the lock.
fn sweep(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(HALF) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The native executable of an installation, past the script that starts it.
fn find_binary(folder: &Path) -> Option<PathBuf> {
    let machine = if ARCH == "aarch64" { "arm64" } else { "x64" };
    let system = if OS == "macos" { "darwin" } else { OS };
    // Newer releases have a package for each machine, older ones all in one.
    let packages = [format!("codex-{system}-{machine}"), "codex".to_owned()];
    packages.iter().find_map(|package| {
        let vendor = folder.join("node_modules/@openai").join(package).join("vendor");
        let mut triples: Vec<PathBuf> =
            fs::read_dir(vendor).ok()?.flatten().map(|entry| entry.path()).collect();
        triples.sort();
        triples.iter().filter(|path| is_ours(path)).find_map(|triple| {
            let places = ["bin/codex", "codex/codex"].map(|place| triple.join(place));
            places.into_iter().find(|place| place.is_file())
        })
    })
}

fn is_ours(triple: &Path) -> bool {
    let system = if OS == "macos" { "darwin" } else { OS };
    let name = triple.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(ARCH) && name.contains(system)
}

fn pinned_version(path: &Path) -> Result<String, InstallError> {
    #[derive(Deserialize)]
    struct Manifest {
        dependencies: Dependencies,
    }
    #[derive(Deserialize)]
    struct Dependencies {
        #[serde(rename = "@openai/codex")]
        codex: String,
    }
    let no_pin = |what| InstallError::NoPin { path: path.to_owned(), what };
    let text = fs::read_to_string(path).map_err(|error| no_pin(error.to_string()))?;
    let manifest: Manifest =
        serde_json::from_str(&text).map_err(|error| no_pin(error.to_string()))?;
    let version = manifest.dependencies.codex;
    if !is_version(&version) {
        return Err(no_pin(format!("`{version}` is not one version")));
    }
    Ok(version)
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

    use super::{InstallError, install, is_version, pinned_version};

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
    fn the_project_pins_one_version() {
        assert_eq!(
            pinned_version(&project().join("targets/codex/package.json")).ok().as_deref(),
            Some("0.171.0")
        );
    }

    #[test]
    fn what_is_no_version_is_refused_before_anything_is_done() {
        let refused = install(project(), Some("latest"));
        assert!(matches!(refused, Err(InstallError::NotAVersion(text)) if text == "latest"));
    }
}
