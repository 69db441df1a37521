//! The products that can be installed, and where their executables lie.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};

use forkproof_oracle::Family;

/// A product of the registry.
#[derive(Debug)]
pub(super) struct Product {
    pub(super) family: Family,
    /// Its package.
    pub(super) package: &'static str,
    /// Finds the program among the packages of its publisher, past scripts that only start it.
    pub(super) find: fn(&Path) -> Option<PathBuf>,
}

const PRODUCTS: [Product; 2] = [
    Product { family: Family::Claude, package: "@anthropic-ai/claude-code", find: claude },
    Product { family: Family::Codex, package: "@openai/codex", find: codex },
];

impl Product {
    /// That of a family.
    pub(super) fn of(family: Family) -> &'static Product {
        let [claude, codex] = &PRODUCTS;
        match family {
            Family::Claude => claude,
            Family::Codex => codex,
        }
    }

    /// The program in an installation.
    pub(super) fn program(&self, folder: &Path) -> Option<PathBuf> {
        let (publisher, _) = self.package.split_once('/')?;
        (self.find)(&folder.join("node_modules").join(publisher))
    }
}

/// Newer releases have an executable in a package for each machine, older ones are a script.
fn claude(packages: &Path) -> Option<PathBuf> {
    let machine = machine();
    let places = [
        format!("claude-code-{machine}/claude"),
        format!("claude-code-{machine}-musl/claude"),
        "claude-code/cli.js".to_owned(),
    ];
    places.into_iter().map(|place| packages.join(place)).find(|place| place.is_file())
}

/// Newer releases have a package for each machine, older ones all in one.
fn codex(packages: &Path) -> Option<PathBuf> {
    let names = [format!("codex-{}", machine()), "codex".to_owned()];
    names.iter().find_map(|name| {
        let vendor = packages.join(name).join("vendor");
        let mut triples: Vec<PathBuf> =
            fs::read_dir(vendor).ok()?.flatten().map(|entry| entry.path()).collect();
        triples.sort();
        triples.iter().filter(|path| is_ours(path)).find_map(|triple| {
            let places = ["bin/codex", "codex/codex"].map(|place| triple.join(place));
            places.into_iter().find(|place| place.is_file())
        })
    })
}

/// This machine, as packages are named after it.
fn machine() -> String {
    let processor = if ARCH == "aarch64" { "arm64" } else { "x64" };
    format!("{}-{processor}", system())
}

fn system() -> &'static str {
    if OS == "macos" { "darwin" } else { OS }
}

fn is_ours(triple: &Path) -> bool {
    let name = triple.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(ARCH) && name.contains(system())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use forkproof_oracle::Family;

    use super::{Product, machine};

    #[test]
    fn an_executable_goes_before_a_script() {
        let folder = tempfile::tempdir().expect("folder");
        let product = Product::of(Family::Claude);
        assert_eq!(product.program(folder.path()), None);
        let packages = folder.path().join("node_modules/@anthropic-ai");
        for place in ["claude-code/cli.js".to_owned(), format!("claude-code-{}/claude", machine())]
        {
            let place = packages.join(place);
            fs::create_dir_all(place.parent().expect("a folder")).expect("made");
            fs::write(&place, "").expect("written");
            assert_eq!(product.program(folder.path()), Some(place));
        }
    }
}
