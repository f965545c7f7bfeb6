//! `open`: raises the window.

use askdock_client::{ClientError, HubFile, HubKind, Paths, open_desktop};
use askdock_wire::ops::{Done, WindowOpen, WindowOpenRequest};

use super::connect;
use crate::args::OpenArgs;
use crate::exit::Exit;
use crate::output;

pub(super) async fn open(paths: Paths, args: OpenArgs, json: bool) -> anyhow::Result<Exit> {
    let client = connect::as_person(paths.clone());
    let desktop_runs = HubFile::read(&paths).is_some_and(|hub| hub.kind == HubKind::Desktop);
    let raised = if desktop_runs {
        client.call::<WindowOpen>(&WindowOpenRequest { session: None, batch: args.batch }).await
    } else {
        Err(ClientError::NoHub)
    };
    match raised {
        Err(ClientError::NoHub) => open_desktop(&paths)?,
        raised => raised.map(|Done {}| ())?,
    }
    output::data(json, &Done {}, String::new)?;
    Ok(Exit::Done)
}
