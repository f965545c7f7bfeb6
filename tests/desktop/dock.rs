//! The dock in the window, as the person uses it.

use anyhow::{Context, Result};
use askdock_tests::desktop::{Page, until};

/// The dock of one batch.
pub(crate) struct Dock<'a> {
    page: &'a Page,
    css: String,
}

impl<'a> Dock<'a> {
    /// The dock of this batch, once it takes clicks and keys.
    pub(crate) async fn of(page: &'a Page, batch: &str) -> Result<Self> {
        let css = format!("[data-testid=dock][data-batch='{batch}']");
        page.find(&format!("{css}[data-ready=true]")).await?;
        Ok(Self { page, css })
    }

    /// Waits until this step is on screen, counted from 0.
    pub(crate) async fn at_step(&self, step: usize) -> Result<()> {
        self.page.find(&format!("{}[data-step='{step}']", self.css)).await.map(|_| ())
    }

    /// Chooses an option of the question on screen.
    pub(crate) async fn choose(&self, option: &str) -> Result<()> {
        self.page.click(&format!("{} [data-option='{option}']", self.css)).await?;
        self.page
            .find(&format!("{} [data-option='{option}'][data-checked=true]", self.css))
            .await?;
        Ok(())
    }

    /// The options that are chosen.
    pub(crate) async fn chosen(&self) -> Result<Vec<String>> {
        let script = format!(
            r#"return [...document.querySelectorAll("{} [data-checked=true]")]
                .map((option) => option.dataset.option)"#,
            self.css
        );
        Ok(serde_json::from_value(self.page.run(&script).await?)?)
    }

    /// Presses the control with this test id.
    pub(crate) async fn press(&self, testid: &str) -> Result<()> {
        self.page.click(&format!("{} [data-testid={testid}]", self.css)).await
    }

    /// The text of the part with this test id, on one line.
    pub(crate) async fn text(&self, testid: &str) -> Result<String> {
        let text = self.page.text(&format!("{} [data-testid={testid}]", self.css)).await?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Opens the note where there is none yet, and types into it.
    pub(crate) async fn note(&self, text: &str) -> Result<()> {
        if self.page.find_now(&format!("{} [data-testid=note-input]", self.css)).await?.is_none() {
            self.press("add-note").await?;
        }
        self.page.type_into(&format!("{} [data-testid=note-input]", self.css), text).await
    }

    /// What stands in the note.
    pub(crate) async fn noted(&self) -> Result<String> {
        value(self.page, &format!("{} [data-testid=note-input]", self.css)).await
    }

    /// Waits until it has closed.
    pub(crate) async fn closed(&self) -> Result<()> {
        let gone = || async { Ok(self.page.find_now(&self.css).await?.is_none().then_some(())) };
        until("the end of the dock", gone).await
    }
}

/// What stands in the composer.
pub(crate) async fn composed(page: &Page) -> Result<String> {
    value(page, "[data-testid=composer-input]").await
}

async fn value(page: &Page, css: &str) -> Result<String> {
    page.find(css).await?.prop("value").await?.with_context(|| format!("{css} is no field"))
}
