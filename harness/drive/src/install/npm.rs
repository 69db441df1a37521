//! The installer: the only file that knows npm.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use forkproof_oracle::Family;

use super::InstallError;
use super::product::Product;

/// Short of the minutes that npm would wait for a network that is not there.
const ARGUMENTS: [&str; 8] = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=2000",
];

/// Installs what manifest and lock in `folder` name.
pub(super) fn install_locked(
    folder: &Path,
    product: &Product,
    version: &str,
) -> Result<(), InstallError> {
    run(folder, product.family, version, &["ci"])
}

/// Installs `version` into `folder`.
pub(super) fn install_version(
    folder: &Path,
    product: &Product,
    version: &str,
) -> Result<(), InstallError> {
    let wanted = format!("{}@{version}", product.package);
    run(folder, product.family, version, &["install", "--no-save", &wanted])
}

fn run(folder: &Path, family: Family, version: &str, command: &[&str]) -> Result<(), InstallError> {
    let output = Command::new("npm")
        .args(command)
        .args(ARGUMENTS)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => InstallError::NoNpm,
            _ => InstallError::Io { what: "run npm in", path: folder.to_owned(), source },
        })?;
    if output.status.success() {
        return Ok(());
    }
    Err(explain(&String::from_utf8_lossy(&output.stderr), family, version))
}

/// One line for npm's page.
fn explain(page: &str, family: Family, version: &str) -> InstallError {
    let mut lines = page.lines().filter_map(|line| line.strip_prefix("npm error "));
    let code = page
        .lines()
        .find_map(|line| line.strip_prefix("npm error code "))
        .unwrap_or("no code")
        .trim();
    match code {
        "ETARGET" | "E404" => InstallError::Unknown { family, version: version.to_owned() },
        "EINTEGRITY" => InstallError::Altered { family, version: version.to_owned() },
        "ENOTFOUND" | "EAI_AGAIN" | "ECONNREFUSED" | "ECONNRESET" | "ETIMEDOUT" | "ENETUNREACH"
        | "EHOSTUNREACH" | "ENOTCACHED" | "ERR_SOCKET_TIMEOUT" => {
            InstallError::NoNetwork(code.to_owned())
        }
        _ => {
            let dull =
                |line: &&str| line.starts_with("code ") || line.starts_with("A complete log");
            let first = lines.find(|line| !dull(line)).unwrap_or("it does not say why");
            let what = format!("{code}: {first}");
            InstallError::Npm { family, version: version.to_owned(), what }
        }
    }
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::Family;

    use super::explain;

    #[track_caller]
    fn becomes(page: &str, line: &str) {
        assert_eq!(explain(page, Family::Codex, "9.9.9").to_string(), line);
    }

    #[test]
    fn an_unknown_version_is_named() {
        becomes(
            "npm error code ETARGET\nnpm error notarget No matching version found.\n",
            "codex 9.9.9 is not in the registry: give a published version",
        );
    }

    #[test]
    fn a_missing_network_is_named() {
        becomes(
            "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\n",
            "the registry cannot be reached (ENOTFOUND): go online, or give --bin PATH",
        );
    }

    #[test]
    fn anything_else_is_one_line_without_the_log() {
        becomes(
            "npm error code EACCES\nnpm error A complete log of this run: x\nnpm error no way\n",
            "npm cannot install codex 9.9.9: EACCES: no way",
        );
        becomes("", "npm cannot install codex 9.9.9: no code: it does not say why");
    }
}
