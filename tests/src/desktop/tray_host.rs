//! A tray: it takes the items that programs register and can open their menus and choose.

use std::collections::HashMap;

use anyhow::{Context, Result};
use tokio::sync::watch;
use zbus::connection::Builder;
use zbus::message::Header;
use zbus::{Connection, OwnedObjectPath, OwnedVariant, Structure, Variant, interface};

use super::{Display, until};

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";

/// A tray on a display's session bus. Dropping it takes it off the bus.
pub struct TrayHost {
    connection: Connection,
    items: watch::Receiver<Vec<(String, String)>>,
}

/// A line of a tray menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuLine {
    id: i32,
    /// What it says; empty: a line between groups.
    pub label: String,
}

/// The part of the StatusNotifierWatcher specification that items use.
struct Watcher(watch::Sender<Vec<(String, String)>>);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    #[expect(clippy::needless_pass_by_value, reason = "as the macro hands it over")]
    fn register_status_notifier_item(&self, item: &str, #[zbus(header)] header: Header<'_>) {
        let owner = header.sender().map(ToString::to_string).unwrap_or_default();
        self.0.send_modify(|items| items.push((owner, item.to_owned())));
    }

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.0.borrow().iter().map(|(owner, path)| format!("{owner}{path}")).collect()
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

/// `(ia{sv}av)` of `GetLayout`: id, properties, entries.
type Layout = (i32, HashMap<String, OwnedVariant>, Vec<OwnedVariant>);

impl TrayHost {
    /// Takes the tray's name on the bus of this display.
    ///
    /// # Errors
    /// The name is taken.
    pub async fn start(display: &Display) -> Result<Self> {
        let (send, items) = watch::channel(vec![]);
        let connection = Builder::address(display.bus_address())
            .serve_at("/StatusNotifierWatcher", Watcher(send))
            .name(WATCHER)
            .build()
            .await?;
        Ok(Self { connection, items })
    }

    /// The name of the icon that the one item shows.
    ///
    /// # Errors
    /// There is no item.
    pub async fn icon(&self) -> Result<String> {
        Ok(self.property("IconName").await?.try_into()?)
    }

    /// The lines of the item's menu, top to bottom.
    ///
    /// # Errors
    /// There is no item, or it has no menu.
    pub async fn menu(&self) -> Result<Vec<MenuLine>> {
        let (owner, menu) = self.menu_path().await?;
        let properties: &[&str] = &["label", "type"];
        let reply = self
            .connection
            .call_method(Some(owner.as_str()), &menu, Some(MENU), "GetLayout", &(0, 1, properties))
            .await?;
        let body = reply.body();
        let (_, (_, _, lines)): (u32, Layout) = body.deserialize()?;
        lines.iter().map(read_line).collect()
    }

    /// Chooses the first line that holds `words`, once there is one.
    ///
    /// # Errors
    /// There never is.
    pub async fn choose(&self, words: &str) -> Result<()> {
        let line = until(&format!("the line {words:?} in the tray's menu"), async || {
            Ok(self.menu().await?.into_iter().find(|line| line.label.contains(words)))
        })
        .await?;
        let (owner, menu) = self.menu_path().await?;
        let event = (line.id, "clicked", Variant::from(0), 0_u32);
        self.connection
            .call_method(Some(owner.as_str()), &menu, Some(MENU), "Event", &event)
            .await?;
        Ok(())
    }

    async fn menu_path(&self) -> Result<(String, OwnedObjectPath)> {
        let menu = self.property("Menu").await?.try_into()?;
        Ok((self.item().await?.0, menu))
    }

    async fn property(&self, name: &str) -> Result<OwnedVariant> {
        let (owner, path) = self.item().await?;
        let reply = self
            .connection
            .call_method(
                Some(owner.as_str()),
                path.as_str(),
                Some("org.freedesktop.DBus.Properties"),
                "Get",
                &(ITEM, name),
            )
            .await?;
        Ok(reply.body().deserialize()?)
    }

    /// Who registered first, and where its item is.
    async fn item(&self) -> Result<(String, String)> {
        let mut items = self.items.clone();
        let found = items.wait_for(|items| !items.is_empty());
        let found = tokio::time::timeout(crate::home::PATIENCE, found).await;
        let items = found.context("nothing came into the tray")??;
        items.first().cloned().context("an item")
    }
}

fn read_line(entry: &OwnedVariant) -> Result<MenuLine> {
    let entry = Structure::try_from(Variant::from(entry.try_clone()?))?;
    let (id, properties, _): Layout = entry.try_into()?;
    let label = match properties.get("label") {
        Some(label) => String::try_from(label.try_clone()?)?,
        None => String::new(),
    };
    Ok(MenuLine { id, label })
}
