//! Pictures of the real window with real asks, each judged before it is kept: no text is cut,
//! covered or too faint, and axe finds nothing.
//!
//! They are written to the folder that `ASKDOCK_SCREENSHOTS` names, those of the README on top
//! and the others in a folder of their own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use askdock_client::{Client, Role};
use askdock_tests::desktop::{App, Display, Page, until};
use askdock_tests::home::Home;
use askdock_tests::person::Person;
use askdock_wire::{AskRequest, AskResponse, Draft, ops};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::dock_is_ready;

const JUDGE: &str = include_str!("judge.js");
const AXE: &str = include_str!("../../ui/node_modules/axe-core/axe.min.js");
const RUN_AXE: &str = "return axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', \
    'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => \
    violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | ')))";

const THEMES: [&str; 2] = ["light", "dark"];
const USUAL: (u32, u32) = (1200, 800);
/// Pictures that the README shows.
const README: [&str; 5] = ["light-open", "dark-open", "dark-review", "light-slim", "light-inbox"];

#[tokio::test]
async fn screenshots_of_one_question() -> Result<()> {
    let studio = Studio::start().await?;
    let questions = json!([first_target()]);
    let batch = studio.workday(questions, json!({ "step": 0 })).await?;
    studio.take_of(&batch, "one", USUAL).await
}

#[tokio::test]
async fn screenshots_of_five_questions() -> Result<()> {
    let studio = Studio::start().await?;
    let batch = studio.workday(five(), at_step_two()).await?;
    studio.take_of(&batch, "open", USUAL).await?;
    studio.take_of(&batch, "open-small", (900, 600)).await?;
    studio.take_of(&batch, "open-large", (1600, 1000)).await
}

#[tokio::test]
async fn screenshots_of_the_review() -> Result<()> {
    let studio = Studio::start().await?;
    let questions = json!([first_target(), checks(), window()]);
    let batch = studio.workday(questions, reviewed()).await?;
    studio.take_of(&batch, "review", USUAL).await
}

#[tokio::test]
async fn screenshots_of_the_slim_bar() -> Result<()> {
    let studio = Studio::start().await?;
    let batch = studio.workday(five(), at_step_two()).await?;
    studio.app.open(Some(&batch.id)).await?;
    dock_is_ready(&studio.page, &batch).await?;
    studio.page.click("[data-testid=collapse]").await?;
    studio.page.find("[data-testid=slim-bar]").await?;
    studio.take("slim", USUAL).await
}

#[tokio::test]
async fn screenshots_of_long_texts() -> Result<()> {
    let studio = Studio::start().await?;
    let batch =
        studio.asks("Claude Code", "Move the ledger to the new store", long_texts()).await?;
    studio.take_of(&batch, "long", USUAL).await
}

#[tokio::test]
async fn screenshots_of_japanese() -> Result<()> {
    let studio = Studio::start().await?;
    let batch = studio.asks("助手", "改訂四十二を公開する", japanese()).await?;
    studio.take_of(&batch, "japanese", USUAL).await
}

#[tokio::test]
async fn screenshots_of_arabic() -> Result<()> {
    let studio = Studio::start().await?;
    let batch = studio.asks("مساعد", "نشر المراجعة 42", arabic()).await?;
    studio.take_of(&batch, "arabic", USUAL).await?;
    let radio = "const box = (css) => document.querySelector(css).getBoundingClientRect(); return \
        box('[data-testid=option] input').left > box('[data-testid=option] .label').right";
    ensure!(studio.page.run(radio).await? == true, "the options begin on the wrong side");
    Ok(())
}

#[tokio::test]
async fn screenshots_of_the_inbox() -> Result<()> {
    let studio = Studio::start().await?;
    studio.workday(five(), at_step_two()).await?;
    studio.page.click("[data-testid=inbox-row]").await?;
    studio.page.find("[data-testid=inbox-card]").await?;
    studio.take("inbox", USUAL).await
}

/// The app in front of a camera.
struct Studio {
    home: Home,
    display: Display,
    app: App,
    page: Page,
    person: Person,
    window: String,
    /// The agents, which wait for their answers.
    waiting: std::sync::Mutex<JoinSet<()>>,
}

impl Studio {
    async fn start() -> Result<Self> {
        // The dock names the program that asks, which is this one.
        std::fs::write("/proc/self/comm", "claude")?;
        let display = Display::start().await?;
        let home = Home::new()?;
        let app = App::start(&home, &display, &[]).await?;
        let page = app.page().await?;
        let window = display.window_shown().await?;
        let person = Person::at(&home);
        let studio =
            Self { home, display, app, page, person, window, waiting: JoinSet::new().into() };
        studio.set(json!({ "language": "en" })).await?;
        // Evaluated as a script of its own, axe would be kept to itself.
        studio.page.run(&format!("{AXE}; window.axe = axe;")).await?;
        Ok(studio)
    }

    async fn set(&self, changes: Value) -> Result<()> {
        let changes = serde_json::from_value(changes)?;
        self.person.client.call::<ops::SettingsSet>(&ops::SettingsPatch { changes }).await?;
        Ok(())
    }

    /// Asks in a session of its own, and waits for the answer as agents do.
    async fn asks(&self, agent: &str, title: &str, mut body: Value) -> Result<AskResponse> {
        let folder = body["folder"].as_str().unwrap_or("/home/ana/code/payments-api").to_owned();
        body["session"] = json!({ "id": title, "title": title, "agent": agent, "folder": folder });
        let client = self.home.client(Role::Agent);
        let batch = client.ask(AskRequest::from_body(body)?).await?;
        client.show_secret(&batch.session_secret);
        let id = batch.id.clone();
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.spawn(async move {
                // The picture is taken before it is answered.
                drop(client.wait(&id).await);
            });
        }
        Ok(batch)
    }

    /// The day that the design's pictures show, up to these questions with this draft.
    async fn workday(&self, questions: Value, draft: Value) -> Result<AskResponse> {
        let ship = "Ship revision 42";
        let queue = json!({
            "folder": "/home/ana/code/ingest",
            "questions": [{
                "id": "library", "header": "Library",
                "question": "Which queue library should the ingest service use?",
                "options": ["pg-boss (Recommended)", "BullMQ", "Write our own"],
            }],
        });
        self.asks("opencode", "Pick a queue library", queue).await?;
        let agent = self.home.client(Role::Agent);
        let order = json!({
            "session": {
                "id": ship, "title": ship, "agent": "Claude Code",
                "folder": "/home/ana/code/payments-api", "branch": "main",
            },
            "questions": [{
                "id": "order", "question": "Which migration order?",
                "options": ["Backfill first", "Schema first"],
            }],
        });
        let order = agent.ask(AskRequest::from_body(order)?).await?;
        agent.show_secret(&order.session_secret);
        let session = self.person.batch(&order.id).await?.session;
        let request = "Get revision 42 out today. Keep the migration reversible.";
        post(&self.person.client, &session, request).await?;
        post(&agent, &session, "Read 14 files, ran `cargo test -p ledger` · 212 passed").await?;
        let answer = ops::AnswerRequest {
            id: order.id.clone(),
            answers: Some(json!({ "order": "Backfill first" })),
            reply: None,
            answer_id: None,
            content_hash: None,
            via: Some("notification".into()),
        };
        self.person.client.call::<ops::BatchAnswer>(&answer).await?;
        agent.wait(&order.id).await?;
        let summary = "The backfill is in. Revision 42 passes on the replica; what is left is \
            where it goes first and how it is announced.";
        post(&agent, &session, summary).await?;
        // Takes the person's message, as agents do between two questions.
        let taken = ops::MessageListRequest { session, after: None, take: true };
        agent.call::<ops::MessageList>(&taken).await?;

        let body = json!({ "questions": questions, "timeout_seconds": 600 });
        let batch = self.asks("Claude Code", ship, body).await?;
        self.draft(&batch, draft).await?;
        Ok(batch)
    }

    async fn draft(&self, batch: &AskResponse, draft: Value) -> Result<()> {
        let mut whole = json!({ "answers": {}, "ask_back": null, "collapsed": false });
        if let (Some(whole), Some(draft)) = (whole.as_object_mut(), draft.as_object()) {
            whole.extend(draft.clone());
        }
        let draft: Draft = serde_json::from_value(whole)?;
        let request = ops::DraftRequest { id: batch.id.clone(), draft, draft_rev: None };
        self.person.client.call::<ops::BatchDraft>(&request).await?;
        Ok(())
    }

    /// Shows the batch and takes its picture in both themes.
    async fn take_of(&self, batch: &AskResponse, name: &str, size: (u32, u32)) -> Result<()> {
        self.app.open(Some(&batch.id)).await?;
        dock_is_ready(&self.page, batch).await?;
        self.take(name, size).await
    }

    /// Takes a picture of what is on show, in both themes.
    async fn take(&self, name: &str, (width, height): (u32, u32)) -> Result<()> {
        let (wide, high) = (width.to_string(), height.to_string());
        self.display.output("xdotool", &["windowsize", &self.window, &wide, &high]).await?;
        until("the window's size", || async {
            let size = self.page.run("return [innerWidth, innerHeight]").await?;
            Ok((size == json!([width, height])).then_some(()))
        })
        .await?;
        for theme in THEMES {
            self.set(json!({ "theme": theme })).await?;
            let set = format!("return document.documentElement.dataset.theme === '{theme}'");
            until("the theme", || async { Ok((self.page.run(&set).await? == true).then_some(())) })
                .await?;
            self.rest().await?;
            let name = format!("{theme}-{name}");
            self.judge(&name).await?;
            keep(&name, &self.page.screenshot().await?).await?;
        }
        Ok(())
    }

    /// Waits until nothing moves any more.
    async fn rest(&self) -> Result<()> {
        let settled = "document.getAnimations().forEach((one) => one.finish()); return new \
            Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => \
            done(document.getAnimations().length === 0))))";
        until("a page at rest", || async {
            Ok((self.page.run(settled).await? == true).then_some(()))
        })
        .await
    }

    async fn judge(&self, name: &str) -> Result<()> {
        let wrong = self.page.run(JUDGE).await?;
        ensure!(wrong == json!([]), "{name}: {wrong:#}");
        let violations = self.page.run(RUN_AXE).await?;
        ensure!(violations == json!([]), "{name}: axe finds {violations:#}");
        Ok(())
    }
}

async fn post(client: &Client, session: &str, text: &str) -> Result<()> {
    let request = ops::MessagePostRequest { session: session.into(), text: text.into(), key: None };
    client.call::<ops::MessagePost>(&request).await?;
    Ok(())
}

/// Writes a picture as small as it gets without loss, since the README's are kept for good.
async fn keep(name: &str, png: &[u8]) -> Result<()> {
    let chosen = std::env::var_os("ASKDOCK_SCREENSHOTS").map(PathBuf::from);
    let folder = chosen.unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("artefacts").join("screenshots")
    });
    let folder = if README.contains(&name) { folder } else { folder.join("others") };
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{name}.png"));
    std::fs::write(&file, png)?;
    let smaller = tokio::process::Command::new("convert")
        .arg(&file)
        .args(["-strip", "-define", "png:compression-level=9"])
        .args(["-define", "png:compression-filter=5"])
        .arg(format!("PNG24:{}", file.display()))
        .status()
        .await
        .context("ImageMagick's convert")?;
    ensure!(smaller.success(), "{} could not be made smaller", file.display());
    Ok(())
}

fn first_target() -> Value {
    let diff = |target: &str| {
        format!(
            "deploy.toml\n- target = \"none\"\n+ target = \"{target}\"\n+ window = \"now\"\n  \
             retries = 3"
        )
    };
    json!({
        "id": "target", "header": "Deploy target", "question": "Where should revision 42 go first?",
        "options": [
            { "id": "staging", "label": "Staging (Recommended)",
              "description": "Mirror of production data, safe to break",
              "preview": { "kind": "diff", "text": diff("staging") } },
            { "id": "node", "label": "One production node",
              "description": "Canary at 5 % of traffic, roll back in 30 s",
              "preview": { "kind": "diff", "text": diff("node-1") } },
            { "id": "production", "label": "Production",
              "description": "All nodes, in the maintenance window at 22:00",
              "preview": { "kind": "diff", "text": diff("production") } },
        ],
    })
}

fn checks() -> Value {
    json!({
        "id": "checks", "header": "Checks", "question": "Which checks gate the release?",
        "multi_select": true,
        "options": [{ "id": "unit", "label": "Unit, fast" }, { "id": "linter", "label": "Linter" },
                    { "id": "whole", "label": "End to end" }],
    })
}

fn window() -> Value {
    json!({
        "id": "window", "header": "Window", "question": "Which maintenance window?",
        "options": [{ "id": "now", "label": "Now" }, { "id": "evening", "label": "22:00 to 22:30" },
                    { "id": "morning", "label": "Tomorrow 06:00" }],
    })
}

fn five() -> Value {
    json!([
        checks(),
        first_target(),
        window(),
        { "id": "rollback", "header": "Rollback", "question": "Who may roll back without asking?",
          "options": ["The on-call engineer (Recommended)", "Anyone on the team", "Only me"] },
        { "id": "notes", "header": "Announcement", "question": "What should the announcement say?" },
    ])
}

fn at_step_two() -> Value {
    json!({ "step": 1, "answers": {
        "checks": { "selected": ["unit", "linter"] },
        "target": { "selected": ["node"] },
    } })
}

fn reviewed() -> Value {
    json!({ "step": 3, "answers": {
        "target": { "selected": ["production"] },
        "checks": { "selected": ["unit", "linter"], "other": true,
                    "text": "and a smoke test on the replica" },
        "window": { "selected": ["evening"], "notes": "only if the on-call engineer agrees" },
    } })
}

fn long_texts() -> Value {
    let reason = "The ledger keeps one row for each posting; the new store keeps one document for \
        each account, so that a balance is one read. ";
    let word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen";
    json!({
        "folder": format!("/home/ana/code/{word}/{word}"),
        "context": reason.repeat(6),
        "questions": [{
            "id": "plan", "header": format!("Plan for {word}"), "question": reason.repeat(3),
            "description": format!("- `{word}{word}{word}`\n\n| step | why |\n|---|---|\n| {word} | {reason} |"),
            "options": [
                { "label": word.repeat(3), "description": reason.repeat(8) },
                { "label": reason.repeat(2), "description": "In one go, at night" },
                { "label": "Later", "description": format!("{word} {reason}") },
            ],
        }],
    })
}

fn japanese() -> Value {
    json!({ "questions": [{
        "id": "target", "header": "デプロイ先",
        "question": "リビジョン42を最初にどこへデプロイしますか？本番環境への影響を考慮してください。",
        "options": [
            { "label": "ステージング", "description": "本番データのミラー。壊しても安全です。" },
            { "label": "本番の一台", "description": "通信の5%だけを流し、30秒で戻せます。" },
            { "label": "全面公開", "description": "二十二時の保守時間に全台へ。" },
        ],
    }] })
}

fn arabic() -> Value {
    json!({ "timeout_seconds": 600, "questions": [{
        "id": "target", "header": "الهدف",
        "question": "أين يجب أن تُنشر المراجعة 42 أولاً؟ (payments-api)",
        "options": [
            { "label": "بيئة الاختبار", "description": "نسخة من بيانات الإنتاج (staging)!" },
            { "label": "الإنتاج", "description": "جميع العقد عند الساعة 22:00." },
        ],
    }] })
}
