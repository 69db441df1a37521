//! How a worker runs, and what that cost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a worker runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Processes of the program at a time; at least one is used.
    pub jobs: usize,
    /// Whether to run in namespaces; without, proxies that lead nowhere are all that holds the
    /// program back.
    pub namespace: bool,
    /// Time for one case.
    pub deadline: Duration,
    /// Cases after which a process and its home are replaced.
    pub recycle_after: usize,
    /// Whether to learn the summary prefix at the start, see [`crate::Worker::summary_prefix`].
    pub teach: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            jobs: 2,
            namespace: true,
            deadline: Duration::from_secs(30),
            recycle_after: 200,
            teach: false,
        }
    }
}

/// What a worker has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time of the program under test, all its processes.
    pub target_cpu: Duration,
    /// Processor time of the worker itself.
    pub worker_cpu: Duration,
    /// Requests to the model server that no model would get: other paths, bodies that are not
    /// JSON.
    pub stray_requests: u64,
}
