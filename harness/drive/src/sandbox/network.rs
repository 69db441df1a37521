//! The only way out: loopback.

use std::fmt::Display;

use rtnetlink::LinkUnspec;

use crate::StartError;

/// Index of `lo` in a new network namespace.
const LOOPBACK: u32 = 1;

/// Brings loopback up, which is down in a new network namespace.
pub(super) fn loopback_up() -> Result<(), StartError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(refused)?;
    runtime.block_on(async {
        let (connection, handle, _) = rtnetlink::new_connection().map_err(refused)?;
        tokio::spawn(connection);
        let up = LinkUnspec::new_with_index(LOOPBACK).up().build();
        handle.link().set(up).execute().await.map_err(refused)
    })
}

fn refused(error: impl Display) -> StartError {
    StartError::NoNamespace(format!("bringing loopback up was refused ({error})"))
}
