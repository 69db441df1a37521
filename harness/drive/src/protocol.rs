//! What the outer process and its worker say to each other: one JSON value a line.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Case, Ending, Executable, StartError, Usage};

/// The first line to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The program, its path absolute.
    pub(crate) program: Executable,
    /// Where `node` lies, if it is on the search path.
    pub(crate) node: Option<PathBuf>,
    /// The folder that can be written, absolute.
    pub(crate) root: PathBuf,
    pub(crate) jobs: usize,
    pub(crate) namespace: bool,
    pub(crate) deadline: Duration,
    pub(crate) recycle_after: usize,
    pub(crate) teach: bool,
}

/// Every further line to a worker. The end of the input stops it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Run it when there is room.
    Case(Case),
    /// Run these with nothing around them and say how fast that was.
    Bare(Vec<Case>),
    /// Interrupt it in every way and say what that leaves.
    Interrupt,
}

/// A line from a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// It can be given work.
    Ready { version: String, summary_prefix: Option<String> },
    /// It cannot, and ends.
    Refused(StartError),
    /// One case is over.
    Done { id: u64, ending: Ending },
    /// The bare loop is over: cases per second, or what went wrong.
    Bare(Result<f64, String>),
    /// All interruptions are over: what they left, or what went wrong.
    Interrupted(Result<String, String>),
    /// The last line.
    Stopped(Usage),
}

/// Writes one line, at once.
pub(crate) fn send(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// Reads one line; `None` at the end.
pub(crate) fn receive<T: DeserializeOwned>(input: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use forkproof_oracle::{Entry, File, Home, Json, Observed, Operation, Reply};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::{Report, Request, receive, send};
    use crate::{Case, Ending, StartError, Usage};

    #[track_caller]
    fn survives<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T) {
        let mut line = Vec::new();
        send(&mut line, message).expect("written");
        assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
        let back: T = receive(&mut &line[..]).expect("read").expect("one line");
        assert_eq!(&back, message);
    }

    fn home() -> Home {
        Home::from([
            ("sessions/text".to_owned(), File::new("two\nlines\n")),
            ("sessions/bytes".to_owned(), File { modified: u64::MAX, ..File::new([0xff, 0]) }),
        ])
    }

    #[test]
    fn a_case_survives() {
        let operations = vec![
            Operation::resume("t", Entry::Id),
            Operation::resume("t", Entry::Path("p".to_owned())),
        ];
        let case = Case { id: u64::MAX, files: home(), operations, alone: true };
        survives(&Request::Case(case.clone()));
        survives(&Request::Bare(vec![case]));
    }

    #[test]
    fn an_observation_survives_losslessly() {
        let json = Json::parse(r#"{"a":1e400,"a":"\ud800","b":[1.0,{"c":null}]}"#).expect("json");
        let observed = |reply| Observed {
            root: "/r".to_owned(),
            before: home(),
            after: home(),
            reply,
            request: Some(json.clone()),
        };
        let refused = Reply::Error { code: -32600, message: "no".to_owned() };
        let seen = vec![observed(Reply::Result(json.clone())), observed(refused)];
        survives(&Report::Done { id: 1, ending: Ending::Observed(seen) });
    }

    #[test]
    fn the_other_reports_survive() {
        survives(&Report::Ready { version: "0.1.0".to_owned(), summary_prefix: None });
        survives(&Report::Refused(StartError::NoNamespace("no".to_owned())));
        survives(&Report::Bare(Ok(15.5)));
        survives(&Report::Stopped(Usage::default()));
    }

    #[test]
    fn the_end_is_none_and_half_a_line_is_an_error() {
        assert!(receive::<Request>(&mut &b""[..]).expect("read").is_none());
        assert!(receive::<Request>(&mut &b"{\"Case\""[..]).is_err());
    }
}
