//! The official TypeScript SDKs, of both generations.

use anyhow::{Context, Result, ensure};
use askdock_tests::home::Home;
use askdock_tests::person::{Person, go, went};
use askdock_tests::sdk_agent::{GENERATIONS, SdkAgent};
use serde_json::{Value, json};

/// Short enough that a test sees a call return before its answer.
const BUDGET: (&str, &str) = ("ASKDOCK_MCP_BUDGET_SECONDS", "1");

#[tokio::test]
async fn an_answer_reaches_either_sdk_with_progress_on_the_way() -> Result<()> {
    for generation in GENERATIONS {
        let home = Home::new()?;
        let _hub = home.serve().await?;
        let person = Person::at(&home);
        let mut agent = SdkAgent::start(&home, generation, &[], &[BUDGET]).await?;
        agent.tell(json!({ "list": true })).await?;
        ensure!(agent.next().await?["tools"][0]["name"] == "ask_user");
        agent
            .tell(json!({ "call": 1, "name": "ask_user", "arguments": go(), "progress": true }))
            .await?;
        ensure!(agent.next().await?["progressed"] == 1, "SDK {generation}");
        let batch = person.only().await?;
        person.selects(&batch.id, "Staging").await?;
        let result = agent.next().await?;
        ensure!(result["result"] == 1 && went(&result) == "Staging", "SDK {generation}: {result}");
        person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    }
    Ok(())
}

#[tokio::test]
async fn every_kind_of_result_keeps_to_the_published_schema() -> Result<()> {
    // The SDKs check results against the output schema once they have listed the tools.
    for generation in GENERATIONS {
        let home = Home::new()?;
        let _hub = home.serve().await?;
        let person = Person::at(&home);
        let mut agent = SdkAgent::start(&home, generation, &[], &[BUDGET]).await?;
        agent.tell(json!({ "list": true })).await?;
        agent.next().await?;
        let mut status = async |command: Value| {
            agent.tell(command).await?;
            let line = agent.next().await?;
            let status = line["structuredContent"]["status"].clone();
            ensure!(status.is_string(), "SDK {generation}: {line}");
            anyhow::Ok(status)
        };
        let ask =
            |arguments: Value| json!({ "call": 1, "name": "ask_user", "arguments": arguments });
        ensure!(status(ask(json!({ "questions": "" }))).await? == "error");
        ensure!(status(ask(go())).await? == "pending");
        let batch = json!({ "batch": person.only().await?.id });
        let wait = json!({ "call": 1, "name": "wait_for_answer", "arguments": batch });
        ensure!(status(wait.clone()).await? == "pending");
        let cancel = json!({ "call": 1, "name": "cancel_question", "arguments": batch });
        ensure!(status(cancel).await? == "cancelled");
        ensure!(status(wait).await? == "cancelled");
    }
    Ok(())
}

#[tokio::test]
async fn a_call_that_an_sdk_gave_up_is_taken_up_again() -> Result<()> {
    for generation in GENERATIONS {
        let home = Home::new()?;
        let _hub = home.serve().await?;
        let person = Person::at(&home);
        let mut agent = SdkAgent::start(&home, generation, &[], &[BUDGET]).await?;
        agent
            .tell(json!({
                "call": 1, "name": "ask_user", "arguments": go(), "timeout": 300,
            }))
            .await?;
        let given_up = agent.next().await?;
        ensure!(given_up["error"] == 1, "SDK {generation}: {given_up}");
        let batch = person.only().await?;
        person.selects(&batch.id, "Staging").await?;
        agent.tell(json!({ "call": 2, "name": "ask_user", "arguments": go() })).await?;
        let result = agent.next().await?;
        ensure!(result["result"] == 2 && went(&result) == "Staging", "SDK {generation}: {result}");
        // Aborted by the agent itself: the question stays.
        agent
            .tell(json!({ "call": 3, "name": "ask_user", "arguments": go(), "progress": true }))
            .await?;
        ensure!(agent.next().await?["progressed"] == 3);
        agent.tell(json!({ "cancel": 3 })).await?;
        ensure!(agent.next().await?["error"] == 3);
        let batches = person.asked(2).await?;
        person.once(&batches[1].id, |batch| batch.away && batch.outcome.is_none()).await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_first_root_is_the_agents_folder() -> Result<()> {
    for generation in GENERATIONS {
        let home = Home::new()?;
        let _hub = home.serve().await?;
        let project = home.path().join("my project");
        std::fs::create_dir_all(project.join(".git"))?;
        std::fs::write(project.join(".git/HEAD"), "ref: refs/heads/topic\n")?;
        let root = format!("file://{}", project.to_str().context("a path")?.replace(' ', "%20"));
        let mut agent =
            SdkAgent::start(&home, generation, &["https://example.org/", &root], &[BUDGET]).await?;
        agent.tell(json!({ "call": 1, "name": "ask_user", "arguments": go() })).await?;
        let batch = Person::at(&home).only().await?;
        ensure!(batch.folder.as_deref() == project.canonicalize()?.to_str(), "{batch:?}");
        ensure!(batch.session_title == "my project", "{batch:?}");
    }
    Ok(())
}
