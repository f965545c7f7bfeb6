//! The live events as a client reads them.

use askdock_wire::Event;
use askdock_wire::transport::EVENTS_PATH;
use bytes::BytesMut;
use http_body_util::BodyExt;
use hyper::body::Incoming;

use crate::http::{Connection, disconnected};
use crate::request::Outgoing;
use crate::{Client, ClientError};

/// A stream of events. Dropping it ends it.
pub struct Events {
    body: Incoming,
    buffer: BytesMut,
    _connection: Connection,
}

impl Client {
    /// Follows the live events: those after `after` where the hub still knows them, else a
    /// snapshot first. Only the person may.
    ///
    /// # Errors
    /// The hub's refusal, or no way to it.
    pub async fn events(&self, after: Option<u64>) -> Result<Events, ClientError> {
        let target = match after {
            Some(seq) => format!("{EVENTS_PATH}?after={seq}"),
            None => EVENTS_PATH.to_owned(),
        };
        let (response, connection) = self.send(Outgoing::get(target)).await?;
        let body = response.into_body();
        Ok(Events { body, buffer: BytesMut::new(), _connection: connection })
    }
}

impl Events {
    /// The next event. `None`: the hub ended the stream; connect again after the last `seq`.
    ///
    /// # Errors
    /// The connection broke, or the event isn't readable.
    pub async fn next(&mut self) -> Result<Option<Event>, ClientError> {
        loop {
            while let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
                let line = self.buffer.split_to(end + 1);
                // The hub writes an event's JSON on one line; id and type are in it too.
                if let Some(json) = line.strip_prefix(b"data: ") {
                    return serde_json::from_slice(json)
                        .map(Some)
                        .map_err(|error| ClientError::Unreadable(error.to_string()));
                }
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(frame) => {
                    if let Ok(data) = frame.map_err(|error| disconnected(&error))?.into_data() {
                        self.buffer.extend_from_slice(&data);
                    }
                }
            }
        }
    }
}
