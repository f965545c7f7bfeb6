//! The TypeScript types of the window, generated from the DTOs. Run with
//! `ASKDOCK_CODEGEN=write` to rewrite the file; without it the test compares.

use std::path::Path;

use ts_rs::{Config, TS};

use crate::*;

macro_rules! declarations {
    ($($type:ty),* $(,)?) => {{
        // JSON has one kind of number; ours stay below 2^53.
        let config = Config::default().with_large_int("number");
        let mut file = String::from(
            "// Generated from crates/askdock-wire by `cargo xtask codegen`. Do not edit.\n",
        );
        $( file.push_str("\nexport "); file.push_str(&<$type>::decl(&config)); file.push('\n'); )*
        file
    }};
}

#[test]
fn codegen_types_are_current() {
    let mut file = declarations!(
        AnswerDto,
        AnswerInput,
        AskRequest,
        AskResponse,
        Author,
        BatchDto,
        BatchStatus,
        BatchSummary,
        Code,
        ConditionDto,
        Delta,
        DisplayTexts,
        Draft,
        DraftAnswer,
        ErrorBody,
        Event,
        MessageDto,
        OptionDto,
        OriginDto,
        Outcome,
        PreviewDto,
        ProblemDto,
        QuestionDto,
        QuestionKindDto,
        ResponderDto,
        SelectedDto,
        SessionDto,
        SessionRef,
        Settings,
        Snapshot,
        TurnDto,
        WireError,
        ops::AnswerRequest,
        ops::AskBackRequest,
        ops::AskBody,
        ops::BatchRef,
        ops::CancelRequest,
        ops::DismissRequest,
        ops::Done,
        ops::DraftRequest,
        ops::DraftResponse,
        ops::ExtendRequest,
        ops::Health,
        ops::ListRequest,
        ops::MessageListRequest,
        ops::MessagePostRequest,
        ops::NoFields,
        ops::SessionDetail,
        ops::SessionIdRequest,
        ops::SessionOpenRequest,
        ops::SessionUpdateRequest,
        ops::SettingsPatch,
        ops::TurnBeginRequest,
        ops::TurnEndRequest,
        ops::TurnRequest,
        ops::WaitRequest,
        ops::WaitResponse,
        ops::WindowOpenRequest,
    );
    file.push_str("\n/** Request and response of each operation, by name. */\nexport interface Operations {\n");
    for (name, request, response) in ops::type_names() {
        file.push_str(&format!("  {name:?}: {{ request: {request}; response: {response} }};\n"));
    }
    file.push_str("}\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/api/types.ts");
    if std::env::var_os("ASKDOCK_CODEGEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, file).unwrap();
    } else {
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(current == file, "ui/src/api/types.ts is stale: run `cargo xtask codegen`");
    }
}
