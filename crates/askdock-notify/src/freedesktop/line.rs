//! The one connection to the session bus: board calls out, answers and signals in.
//!
//! Everything arrives through one stream, so that a click, the reply that names the notice and a
//! change of the server are seen in the order in which they happened. A proxy per signal would
//! lose that order.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::time::timeout;
use zbus::connection::Builder;
use zbus::message::{Flags, Header, Type};
use zbus::{Connection, Message, MessageStream, Variant};

use super::posting::{Posting, Stay};
use super::terms::{Answer, Call, CallId, Refusal, Signal};
use crate::AppIdentity;
use crate::server_info::Unavailable;

pub(super) const SERVER: &str = "org.freedesktop.Notifications";
pub(super) const SERVER_PATH: &str = "/org/freedesktop/Notifications";
const BUS: &str = "org.freedesktop.DBus";
const BUS_PATH: &str = "/org/freedesktop/DBus";

/// A bus that takes longer than this to let us in, or to take a message, is as good as none.
const BUS_PATIENCE: Duration = Duration::from_secs(5);
/// How long a last word stays.
const PASSING_MS: i32 = 4000;
/// "A received instant message": of the specification's registered categories the one that is
/// about a person being spoken to.
const CATEGORY: &str = "im.received";
const SOUND: &str = "message-new-instant";

pub(super) struct Line {
    connection: Connection,
    messages: MessageStream,
    awaited: HashMap<NonZeroU32, Awaited>,
    owner: Option<String>,
    last_forger: Option<String>,
}

struct Awaited {
    what: What,
    /// Who must answer.
    callee: String,
}

#[derive(Clone, Copy)]
enum What {
    Owner,
    Start(CallId),
    Information(CallId),
    Capabilities(CallId),
    Notify(CallId),
}

pub(super) enum Heard {
    Owner(Option<String>),
    Answer(CallId, Result<Answer, Refusal>),
    Signal(Signal),
    /// The connection is over.
    Lost(Unavailable),
}

impl Line {
    /// Connects, subscribes to the server's signals and asks who the server is; the answer comes
    /// as the first [`Heard::Owner`].
    pub(super) async fn open(address: Option<&str>) -> Result<Self, Unavailable> {
        let builder = address.map_or_else(Builder::session, Builder::address);
        let connection = timeout(BUS_PATIENCE, builder.build())
            .await
            .map_err(|_| Unavailable::NoBus("it does not answer".to_owned()))?
            .map_err(|error| no_bus(&error))?;
        let messages = MessageStream::from(&connection);
        let awaited = HashMap::new();
        let mut line = Self { connection, messages, awaited, owner: None, last_forger: None };
        // With the server's name as sender the bus itself keeps other peers' broadcasts away.
        // What is sent to us directly passes every rule and is checked in `signal`.
        line.subscribe(&format!("interface='{SERVER}',sender='{SERVER}',path='{SERVER_PATH}'"))
            .await?;
        line.subscribe(&format!(
            "interface='{BUS}',sender='{BUS}',member='NameOwnerChanged',arg0='{SERVER}'"
        ))
        .await?;
        let ask = Message::method_call(BUS_PATH, "GetNameOwner")
            .destination(BUS)
            .interface(BUS)
            .build(&SERVER);
        line.ask(ask, What::Owner, BUS).await?;
        Ok(line)
    }

    async fn subscribe(&mut self, rule: &str) -> Result<(), Unavailable> {
        let add = Message::method_call(BUS_PATH, "AddMatch")
            .destination(BUS)
            .interface(BUS)
            .with_flags(Flags::NO_REPLY_EXPECTED)
            .build(&format!("type='signal',{rule}"));
        self.transmit(&add.map_err(|error| no_bus(&error))?).await
    }

    /// Sends a call; its answer is heard later.
    ///
    /// # Errors
    ///
    /// The connection is over.
    pub(super) async fn send(
        &mut self,
        id: CallId,
        call: &Call,
        app: &AppIdentity,
    ) -> Result<(), Unavailable> {
        if matches!(call, Call::Start) {
            let start = Message::method_call(BUS_PATH, "StartServiceByName")
                .destination(BUS)
                .interface(BUS)
                .build(&(SERVER, 0u32));
            return self.ask(start, What::Start(id), BUS).await;
        }
        // The owner just left: the board hears of it next and starts over.
        let Some(owner) = self.owner.clone() else { return Ok(()) };
        let to_owner = |method: &'static str| {
            Message::method_call(SERVER_PATH, method).destination(owner.as_str()).interface(SERVER)
        };
        match call {
            Call::Start => Ok(()),
            Call::Information => {
                let ask = to_owner("GetServerInformation").build(&());
                self.ask(ask, What::Information(id), &owner).await
            }
            Call::Capabilities => {
                let ask = to_owner("GetCapabilities").build(&());
                self.ask(ask, What::Capabilities(id), &owner).await
            }
            Call::Notify { posting, replaces } => {
                let ask = to_owner("Notify").build(&notify_body(posting, *replaces, app));
                self.ask(ask, What::Notify(id), &owner).await
            }
            Call::Close { id } => {
                let close = to_owner("CloseNotification")
                    .with_flags(Flags::NO_REPLY_EXPECTED)
                    .build(id)
                    .map_err(|error| no_bus(&error))?;
                self.transmit(&close).await
            }
        }
    }

    async fn ask(
        &mut self,
        message: zbus::Result<Message>,
        what: What,
        callee: &str,
    ) -> Result<(), Unavailable> {
        let message = message.map_err(|error| no_bus(&error))?;
        let serial = message.primary_header().serial_num();
        self.awaited.insert(serial, Awaited { what, callee: callee.to_owned() });
        self.transmit(&message).await
    }

    async fn transmit(&self, message: &Message) -> Result<(), Unavailable> {
        timeout(BUS_PATIENCE, self.connection.send(message))
            .await
            .map_err(|_| Unavailable::NoBus("it takes no messages".to_owned()))?
            .map_err(|error| no_bus(&error))
    }

    /// The next thing of interest. Cancel-safe.
    pub(super) async fn hear(&mut self) -> Heard {
        loop {
            let message = match self.messages.next().await {
                Some(Ok(message)) => message,
                Some(Err(error)) => return Heard::Lost(no_bus(&error)),
                None => return Heard::Lost(Unavailable::NoBus("it hung up".to_owned())),
            };
            let heard = match message.message_type() {
                Type::MethodReturn | Type::Error => self.answer(&message),
                Type::Signal => self.signal(&message),
                Type::MethodCall => None,
            };
            if let Some(heard) = heard {
                return heard;
            }
        }
    }

    fn answer(&mut self, message: &Message) -> Option<Heard> {
        let header = message.header();
        let serial = header.reply_serial()?;
        if self.awaited.get(&serial)?.callee != sender(&header)? {
            return None;
        }
        let what = self.awaited.remove(&serial)?.what;
        let (id, answer) = match what {
            What::Owner => {
                self.owner = message.body().deserialize::<String>().ok();
                if message.message_type() == Type::Error {
                    self.owner = None;
                }
                return Some(Heard::Owner(self.owner.clone()));
            }
            What::Start(id) => (id, Ok(Answer::Started)),
            What::Information(id) => {
                let body = message.body();
                let read = body.deserialize::<(String, String, String, String)>();
                let read = read.map(|(name, vendor, version, _)| Answer::Information {
                    name,
                    vendor,
                    version,
                });
                (id, read)
            }
            What::Capabilities(id) => (id, message.body().deserialize().map(Answer::Capabilities)),
            What::Notify(id) => (id, message.body().deserialize().map(Answer::Posted)),
        };
        let answer = if message.message_type() == Type::Error {
            Err(Refusal {
                name: header.error_name().map(|name| name.to_string()).unwrap_or_default(),
                message: message.body().deserialize().unwrap_or_default(),
            })
        } else {
            answer.map_err(|error| Refusal { name: String::new(), message: error.to_string() })
        };
        Some(Heard::Answer(id, answer))
    }

    fn signal(&mut self, message: &Message) -> Option<Heard> {
        let header = message.header();
        let (interface, member) = (header.interface()?.as_str(), header.member()?.as_str());
        let sender = sender(&header)?;
        let body = message.body();
        if interface == BUS {
            // The bus lets nobody else bear its name.
            if sender != BUS || member != "NameOwnerChanged" {
                return None;
            }
            let (name, _, owner) = body.deserialize::<(String, String, String)>().ok()?;
            if name != SERVER {
                return None;
            }
            self.owner = Some(owner).filter(|owner| !owner.is_empty());
            self.awaited.retain(|_, awaited| matches!(awaited.what, What::Owner | What::Start(_)));
            return Some(Heard::Owner(self.owner.clone()));
        }
        if interface != SERVER {
            return None;
        }
        if self.owner.as_deref() != Some(sender) {
            self.report_forger(sender, member);
            return None;
        }
        let signal = match member {
            "ActionInvoked" => {
                body.deserialize().map(|(id, action)| Signal::Invoked { id, action })
            }
            "NotificationReplied" => {
                body.deserialize().map(|(id, text)| Signal::Replied { id, text })
            }
            "ActivationToken" => body.deserialize().map(|(id, token)| Signal::Token { id, token }),
            "NotificationClosed" => {
                body.deserialize::<(u32, u32)>().map(|(id, _)| Signal::Closed { id })
            }
            _ => return None,
        };
        match signal {
            Ok(signal) => Some(Heard::Signal(signal)),
            Err(error) => {
                tracing::warn!(member, %error, "ignored a malformed signal of the server");
                None
            }
        }
    }

    /// Once per forger: whoever can send signals could otherwise fill the log.
    fn report_forger(&mut self, sender: &str, member: &str) {
        if self.last_forger.as_deref() != Some(sender) {
            tracing::warn!(
                sender,
                member,
                "ignored a signal that is not from the notification server"
            );
            self.last_forger = Some(sender.to_owned());
        }
    }

    /// Hangs up.
    pub(super) async fn close(self) {
        let Self { connection, messages, .. } = self;
        drop(messages);
        if let Err(error) = connection.close().await {
            tracing::debug!(%error, "the session bus did not part well");
        }
    }
}

fn sender<'h>(header: &'h Header<'_>) -> Option<&'h str> {
    header.sender().map(|sender| sender.as_str())
}

fn no_bus(error: &zbus::Error) -> Unavailable {
    Unavailable::NoBus(error.to_string())
}

type NotifyBody<'a> = (
    &'a str,
    u32,
    &'a str,
    &'a str,
    &'a str,
    Vec<&'a str>,
    HashMap<&'static str, Variant<'a>>,
    i32,
);

fn notify_body<'a>(posting: &'a Posting, replaces: u32, app: &'a AppIdentity) -> NotifyBody<'a> {
    let mut hints = HashMap::from([
        ("urgency", Variant::from(if posting.critical { 2u8 } else { 1u8 })),
        ("category", Variant::from(CATEGORY)),
        ("desktop-entry", Variant::from(app.desktop_entry.as_str())),
    ]);
    if posting.sound {
        hints.insert("sound-name", Variant::from(SOUND));
    } else {
        hints.insert("suppress-sound", Variant::from(true));
    }
    let expire = match posting.stay {
        // A press doesn't take it down: the last word then replaces it in place.
        Stay::Waiting => {
            hints.insert("resident", Variant::from(true));
            0
        }
        Stay::Passing => {
            hints.insert("transient", Variant::from(true));
            PASSING_MS
        }
    };
    let actions =
        posting.actions.iter().flat_map(|(key, label)| [key.as_str(), label.as_str()]).collect();
    (&app.name, replaces, &app.icon, &posting.summary, &posting.body, actions, hints, expire)
}
