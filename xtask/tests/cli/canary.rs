//! The sessions of the person who runs the tool are nobody's business.

use std::fs;
use std::process::Command;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use tempfile::TempDir;

use crate::support::{program, through, tool};

#[test]
fn the_session_folder_of_the_person_who_runs_it_is_never_opened() {
    let run = "conform --target claude --suite golden --filter */linear";
    // Installs what is missing, in the real home.
    tool(run).kept().real().run();
    let home = TempDir::with_prefix("home-").expect("a folder");
    let project = home.path().join(".claude/projects/-somewhere");
    fs::create_dir_all(&project).expect("folders");
    let session = project.join("00000000-0000-4000-8000-0000000000cc.jsonl");
    fs::write(&session, "private\n").expect("written");
    let watch = Inotify::init(InitFlags::IN_NONBLOCK).expect("a watch");
    let kinds = AddWatchFlags::IN_OPEN | AddWatchFlags::IN_ACCESS | AddWatchFlags::IN_MODIFY;
    for path in session.ancestors().take_while(|path| *path != home.path()) {
        watch.add_watch(path, kinds).expect("watched");
    }
    let mut command = Command::new("env");
    command.arg(format!("HOME={}", home.path().display())).arg(program());
    for more in ["", " --no-namespace"] {
        let mut again = Command::new("env");
        again.args(command.get_args());
        let ended = through(again, &format!("{run}{more}")).kept().real().run();
        assert!(ended.out.contains("scenarios  1: "), "{} {}", ended.out, ended.err);
        let events = ended.place.events();
        assert_ne!(events[1]["scenario"]["verdict"], "target-fault", "{}", ended.out);
    }
    assert!(watch.read_events().is_err(), "it was looked at");
    // The watch does see what is looked at.
    fs::read(&session).expect("readable");
    assert!(watch.read_events().is_ok_and(|events| !events.is_empty()));
}
