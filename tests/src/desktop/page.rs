//! The page in the window, over WebDriver.

use std::process::Stdio;

use anyhow::{Context, Result};
use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;
use tokio::process::{Child, Command};

use super::{free_port, until};

/// A page under control; let go of when dropped.
pub struct Page {
    client: Client,
    _driver: Child,
}

impl Page {
    /// Starts a driver for the app whose inspector listens on this port.
    pub(super) async fn attach(inspector: u16) -> Result<Self> {
        let port = free_port()?;
        let driver = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .arg(format!("--target=127.0.0.1:{inspector}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("WebKitWebDriver")?;
        let address = format!("http://127.0.0.1:{port}");
        // Until both listen and the page is there, there is no session to be had.
        let client = until("a page to attach to", || async {
            let builder = ClientBuilder::new(HttpConnector::new());
            Ok(builder.connect(&address).await.ok())
        })
        .await?;
        Ok(Self { client, _driver: driver })
    }

    /// The WebDriver session, for what has no method here.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The element, once there is one.
    ///
    /// # Errors
    /// There never is.
    pub async fn find(&self, css: &str) -> Result<Element> {
        until(css, || async { self.find_now(css).await }).await
    }

    /// The element, if there is one now.
    ///
    /// # Errors
    /// The page is gone.
    pub async fn find_now(&self, css: &str) -> Result<Option<Element>> {
        Ok(self.client.find_all(Locator::Css(css)).await?.into_iter().next())
    }

    /// Clicks the element, once there is one.
    ///
    /// # Errors
    /// There never is, or it is covered.
    pub async fn click(&self, css: &str) -> Result<()> {
        self.find(css).await?.click().await.with_context(|| format!("clicking {css}"))
    }

    /// Types into the element, once there is one.
    ///
    /// # Errors
    /// There never is, or it takes no keys.
    pub async fn type_into(&self, css: &str, keys: &str) -> Result<()> {
        self.find(css).await?.send_keys(keys).await.with_context(|| format!("typing into {css}"))
    }

    /// The text of the element, once there is one.
    ///
    /// # Errors
    /// There never is.
    pub async fn text(&self, css: &str) -> Result<String> {
        Ok(self.find(css).await?.text().await?)
    }

    /// What a script returns.
    ///
    /// # Errors
    /// It throws.
    pub async fn run(&self, script: &str) -> Result<Value> {
        Ok(self.client.execute(script, vec![]).await?)
    }

    /// A PNG of the page.
    ///
    /// # Errors
    /// The page is gone.
    pub async fn screenshot(&self) -> Result<Vec<u8>> {
        Ok(self.client.screenshot().await?)
    }
}
