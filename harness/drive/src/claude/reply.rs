//! What the end of a process says.

use forkproof_oracle::{Json, Reply};

use super::process::Ended;
use crate::fault::Fault;

/// How lines on its error output begin that come from our set-up and not from the session.
const NOISE: &[&str] = &["[claude-code:unrecognized_model]"];

/// The answer of a program that has ended: its result, or its code and what it says of it.
pub(super) fn reply(ended: &Ended) -> Result<Reply, Fault> {
    let said = String::from_utf8_lossy(&ended.errors);
    let result = std::str::from_utf8(&ended.output).ok().and_then(|text| Json::parse(text.trim()));
    match (ended.status.code(), result) {
        (Some(0), Some(result @ Json::Object(_))) => Ok(Reply::Result(result)),
        (Some(0), _) => {
            let start = &ended.output[..ended.output.len().min(80)];
            let start = String::from_utf8_lossy(start).trim_end().to_owned();
            Err(Fault::Target(format!("its result is not a json object: `{start}`")))
        }
        (Some(code), result) => {
            let told = message(&said);
            let message = match told.as_str() {
                "" => of_result(result.as_ref()),
                _ => told,
            };
            Ok(Reply::Error { code: code.into(), message })
        }
        (None, _) => {
            let said = message(&said);
            let last = said.lines().last().map(|line| format!(": {line}")).unwrap_or_default();
            Err(Fault::Target(format!("the program ended ({}){last}", ended.status)))
        }
    }
}

/// The error output without noise.
fn message(said: &str) -> String {
    let loud = |line: &&str| !NOISE.iter().any(|noise| line.starts_with(noise));
    let lines: Vec<&str> = said.lines().filter(loud).collect();
    lines.join("\n").trim().to_owned()
}

fn of_result(result: Option<&Json>) -> String {
    let text = result.and_then(|result| result.get("result")).and_then(Json::as_str);
    text.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    use forkproof_oracle::Reply;

    use super::reply;
    use crate::claude::process::Ended;
    use crate::fault::Fault;

    fn of(status: i32, output: &str, errors: &str) -> Result<Reply, Fault> {
        let status = ExitStatus::from_raw(status);
        reply(&Ended { status, output: output.into(), errors: errors.into() })
    }

    #[track_caller]
    fn refuses(output: &str, errors: &str, expected: &str) {
        let message = expected.to_owned();
        assert_eq!(of(1 << 8, output, errors), Ok(Reply::Error { code: 1, message }));
    }

    const NOISE: &str = "[claude-code:unrecognized_model] {\"model\":\"x\"}\n";

    #[test]
    fn a_success_is_its_result() {
        let result = of(0, "{\"result\":\"ANSWER\"}\n", NOISE);
        assert!(matches!(result, Ok(Reply::Result(json)) if json.get("result").is_some()));
    }

    #[test]
    fn a_failure_is_its_code_and_text_without_noise() {
        refuses("", &format!("{NOISE}no such\nsession \n"), "no such\nsession");
        refuses("{\"result\":\"why\"}", NOISE, "why");
        refuses("nothing", "", "");
    }

    #[test]
    fn a_success_without_a_result_and_a_signal_are_faults() {
        let text = |result: Result<Reply, Fault>| result.expect_err("a fault").into_text();
        assert_eq!(text(of(0, "hello\n", "")), "its result is not a json object: `hello`");
        let killed = text(of(9, "", &format!("first\nlast\n{NOISE}")));
        assert_eq!(killed, "the program ended (signal: 9 (SIGKILL)): last");
    }
}
