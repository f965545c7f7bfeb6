use super::*;

#[test]
fn display_marks_what_hides() {
    let check = |text: &str, expect: &str| {
        assert_eq!(display(text), expect, "{text:?}");
        assert_eq!(has_hostile(text), display(text) != text.replace("\r\n", "\n"), "{text:?}");
    };
    check("plain, Ünïcode, 日本語\n\tkept", "plain, Ünïcode, 日本語\n\tkept");
    check("two\r\nlines", "two\nlines");
    check("lone\rreturn", "lone␍return");
    check("nul\0 bell\u{7} del\u{7f}", "nul␀ bell␇ del␡");
    check("\u{1b}[31mred\u{1b}[0m", "␛[31mred␛[0m");
    check("c1 \u{9b}31m", "c1 ⟨U+009B⟩31m");
    check("report\u{202e}fdp.sh", "report⟨U+202E⟩fdp.sh");
    check("\u{2066}iso\u{2069}", "⟨U+2066⟩iso⟨U+2069⟩");
    check("ad\u{200b}min \u{feff}\u{2060}\u{ad}", "ad⟨U+200B⟩min ⟨U+FEFF⟩⟨U+2060⟩⟨U+00AD⟩");
    check("a\u{200d}b\u{200c}c", "a⟨U+200D⟩b⟨U+200C⟩c");
    check("hi\u{e0068}\u{e0069}", "hi⟨U+E0068⟩⟨U+E0069⟩");
    check("x\u{fe0f}", "x⟨U+FE0F⟩");
    check("x\u{e0101}", "x⟨U+E0101⟩");
    check("left\u{200e} mark", "left⟨U+200E⟩ mark");
    check("\u{3164}filler", "⟨U+3164⟩filler");
}

#[test]
fn display_keeps_what_belongs() {
    let check = |text: &str| assert_eq!(display(text), text, "{text:?}");
    check("👨\u{200d}👩\u{200d}👧\u{200d}👦 review");
    check("👩🏽\u{200d}💻");
    check("❤\u{fe0f}\u{200d}🔥");
    check("2\u{fe0f}\u{20e3}");
    check("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}");
    check("می\u{200c}خواهم");
    check("क्\u{200d}ष");
    check("ᠠ\u{180b}\u{200d}ᠡ");
    check("葛\u{e0100}城");
    check("שלום\u{200f}!");
    check("أي نسخة ننشر (v2.1)?");
}

#[test]
fn a_flag_needs_its_end_and_joiners_do_not_pile_up() {
    assert_eq!(display("🏴\u{e0067}\u{e0062}"), "🏴⟨U+E0067⟩⟨U+E0062⟩");
    assert_eq!(display("می\u{200c}\u{200c}خ"), "می\u{200c}⟨U+200C⟩خ");
    assert_eq!(display("\u{180b}\u{180b}"), "⟨U+180B⟩⟨U+180B⟩");
    assert_eq!(display("ب\u{fe0f}\u{200c}"), "ب⟨U+FE0F⟩⟨U+200C⟩");
    assert_eq!(display("😀\u{fe0f}\u{fe0f}"), "😀\u{fe0f}⟨U+FE0F⟩");
}

#[test]
fn plain_is_one_line() {
    assert_eq!(plain("  a\r\n\tb\u{a0} c\u{2028}d\u{b}e "), "a b c d␋e");
}

#[test]
fn blank_is_what_shows_nothing() {
    for text in ["", " \n\t", "\u{200b}", "\u{200b}\u{2060} ", "\u{ad}", "\0"] {
        assert!(is_blank(text), "{text:?}");
    }
    for text in ["x", "\u{200b}.", "。", "❤\u{fe0f}"] {
        assert!(!is_blank(text), "{text:?}");
    }
}

#[test]
fn folding_is_generous() {
    let check = |a: &str, b: &str| assert_eq!(fold(a), fold(b), "{a:?} {b:?}");
    check("Straße", "STRASSE");
    check("  Unit \t tests\n", "unit tests");
    check("ＳＱＬｉｔｅ", "sqlite");
    check("ad\u{200b}min", "ADMIN");
    check("Ångström", "A\u{30a}ngstro\u{308}m");
    check("ΣΊΣΥΦΟΣ", "σίσυφος");
    assert_ne!(fold("a b"), fold("ab"));
}

#[test]
fn look_alikes_share_a_key() {
    let alike = |a: &str, b: &str| look_alike_key(a) == look_alike_key(b);
    assert!(alike("admin", "ad\u{200b}min"));
    assert!(alike(" Yes ", "Yes"));
    assert!(alike("é", "e\u{301}"));
    assert!(alike("e\u{200d}\u{301}", "é"));
    assert!(alike("❤\u{fe0f}", "❤"));
    assert!(alike("report\u{202e}fdp", "reportfdp"));
    // Visibly different.
    assert!(!alike("Yes", "yes"));
    assert!(!alike("a b", "a  b"));
    assert!(!alike("👩\u{200d}💻", "👩💻"));
    let england = "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    let wales = "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}";
    assert!(!alike(england, wales));
}

#[test]
fn cutting_counts_clusters() {
    let check = |text: &str, most, expect: &str| assert_eq!(cut_graphemes(text, most), expect);
    check("twelve chars", 12, "twelve chars");
    check("thirteen char", 12, "thirteen ch…");
    check("one two", 5, "one…");
    check("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…");
    check("👨\u{200d}👩\u{200d}👧", 1, "👨\u{200d}👩\u{200d}👧");
    check("ab", 1, "…");
    check("ab", 0, "");
    check("", 0, "");
}

#[test]
fn short_headers() {
    let check = |header: Option<&str>, question: &str, expect: &str| {
        let question = Question {
            header: header.map(str::to_owned),
            question: question.to_owned(),
            ..Question::default()
        };
        assert_eq!(short_header(&question), expect);
    };
    check(Some("Storage"), "Where?", "Storage");
    check(Some("Target config"), "Where?", "Target conf…");
    check(
        Some("👨\u{200d}👩\u{200d}👧\u{200d}👦 review"),
        "Who?",
        "👨\u{200d}👩\u{200d}👧\u{200d}👦 review",
    );
    check(Some(" \u{200b}"), "Ship it?", "Ship it?");
    check(None, "Ship it now?", "Ship it now?");
    check(None, "Where should sessions be stored?", "Where…");
    check(None, "**Keep** the `a` file?", "Keep the a…");
    check(None, "Internationalisation?", "Internation…");
    check(None, "デプロイ方式を選んでください", "デプロイ方式を選んでく…");
    check(None, "***", "");
}

#[test]
fn the_recommended_suffix() {
    let check = |label: &str, expect: &str| assert_eq!(strip_recommended(label), expect);
    check("Staging (Recommended)", "Staging");
    check("Staging (RECOMMENDED) ", "Staging");
    check("Staging(recommended)", "Staging");
    check("Recommended", "Recommended");
    check("(Recommended)", "(Recommended)");
    check("日(推薦)本語日本語", "日(推薦)本語日本語");
    check("(Recommended) Staging", "(Recommended) Staging");
}

#[test]
fn plain_ascii_takes_no_other_way_than_the_rest() {
    // An invisible character changes nothing but the way that is taken.
    for text in ["Plain  Text\n\tHERE ", "", " ", "a", "~!\"\\"] {
        let other = format!("{text}\u{200b}");
        assert_eq!(fold(text), fold(&other), "{text:?}");
        assert_eq!(look_alike_key(text), look_alike_key(&other), "{text:?}");
        assert_eq!(is_blank(text), is_blank(&other), "{text:?}");
        assert_eq!(format!("{}⟨U+200B⟩", display(text)), display(&other), "{text:?}");
        assert!(!has_hostile(text), "{text:?}");
    }
}
