//! Asks once what would show notices here, for `doctor` and the settings.

use tokio::time::{Instant, timeout_at};

use super::board::PATIENCE;
use super::line::{Heard, Line};
use super::terms::{Answer, Call, CallId};
use crate::AppIdentity;
use crate::server_info::{ServerInfo, Unavailable};

const START: CallId = CallId(0);
const INFORMATION: CallId = CallId(1);
const CAPABILITIES: CallId = CallId(2);

/// The notification server of this session, which is started if it is not running yet. Takes at
/// most ten seconds, and shows nothing.
///
/// # Errors
///
/// Why there is none, in a sentence for the person.
pub async fn probe() -> Result<ServerInfo, Unavailable> {
    ask(None).await
}

/// As [`probe`], on the bus with this D-Bus address.
///
/// # Errors
///
/// As [`probe`].
pub async fn probe_at(address: &str) -> Result<ServerInfo, Unavailable> {
    ask(Some(address)).await
}

async fn ask(address: Option<&str>) -> Result<ServerInfo, Unavailable> {
    let line = Line::open(address).await?;
    timeout_at(Instant::now() + PATIENCE, introduce(line)).await.map_err(|_| Unavailable::Silent)?
}

async fn introduce(mut line: Line) -> Result<ServerInfo, Unavailable> {
    let nobody = AppIdentity::default();
    let mut described = None;
    let mut capabilities = None;
    loop {
        match line.hear().await {
            Heard::Owner(Some(_)) => {
                line.send(INFORMATION, &Call::Information, &nobody).await?;
                line.send(CAPABILITIES, &Call::Capabilities, &nobody).await?;
            }
            Heard::Owner(None) => line.send(START, &Call::Start, &nobody).await?,
            Heard::Answer(START, Err(_)) => return Err(Unavailable::NoServer),
            Heard::Answer(_, Err(refusal)) => return Err(Unavailable::Refused(refusal.message)),
            Heard::Answer(_, Ok(Answer::Information { name, vendor, version })) => {
                described = Some((name, vendor, version));
            }
            Heard::Answer(_, Ok(Answer::Capabilities(own))) => capabilities = Some(own),
            Heard::Answer(..) | Heard::Signal(_) => {}
            Heard::Lost(why) => return Err(why),
        }
        if let (Some((name, vendor, version)), Some(capabilities)) = (&described, &capabilities) {
            let info = ServerInfo {
                name: name.clone(),
                vendor: vendor.clone(),
                version: version.clone(),
                capabilities: capabilities.clone(),
            };
            line.close().await;
            return Ok(info);
        }
    }
}
