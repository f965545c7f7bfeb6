//! An authored "Other" is the free-text row, not an option of its own.

use std::collections::HashSet;
use std::sync::LazyLock;

use askdock_domain::text;

/// How people and models write it, folded.
const WORDS: &[&str] = &[
    "other",
    "others",
    "another",
    "something else",
    "something different",
    "anything else",
    "custom",
    "custom answer",
    "custom response",
    "custom input",
    "type your own",
    "type your answer",
    "type something",
    "enter your own",
    "write your own",
    "let me type",
    "let me specify",
    "other option",
    "other answer",
    "another option",
    "free text",
    // German
    "andere",
    "anderes",
    "anderer",
    "sonstiges",
    "sonstige",
    "etwas anderes",
    "eigene antwort",
    // French
    "autre",
    "autres",
    "autre chose",
    "autre réponse",
    // Spanish, Portuguese, Italian, Romanian
    "otro",
    "otra",
    "otros",
    "otras",
    "otra cosa",
    "otra opción",
    "outro",
    "outra",
    "outros",
    "outra coisa",
    "altro",
    "altra",
    "altri",
    "qualcos'altro",
    "altul",
    "altele",
    "altceva",
    // Dutch, Swedish, Danish, Norwegian, Finnish
    "anders",
    "overig",
    "overige",
    "iets anders",
    "annat",
    "något annat",
    "andet",
    "noget andet",
    "annet",
    "noe annet",
    "muu",
    "jokin muu",
    // Polish, Czech, Slovak, Hungarian, Turkish, Greek
    "inne",
    "inny",
    "coś innego",
    "jiné",
    "jiný",
    "něco jiného",
    "iné",
    "niečo iné",
    "egyéb",
    "valami más",
    "diğer",
    "başka",
    "başka bir şey",
    "άλλο",
    "κάτι άλλο",
    // Russian, Ukrainian
    "другое",
    "другой",
    "другой вариант",
    "что-то другое",
    "иное",
    "інше",
    "щось інше",
    // Japanese, Chinese, Korean, Vietnamese, Indonesian, Thai
    "その他",
    "それ以外",
    "其他",
    "其它",
    "其他选项",
    "自定义",
    "自訂",
    "기타",
    "khác",
    "lainnya",
    "อื่นๆ",
    // Arabic, Hebrew, Hindi
    "أخرى",
    "آخر",
    "غير ذلك",
    "אחר",
    "משהו אחר",
    "अन्य",
    "कुछ और",
];

/// What may follow, in parentheses or after a dash, colon or comma.
const REQUESTS: &[&str] = &[
    "please specify",
    "specify",
    "please describe",
    "describe",
    "please explain",
    "explain",
    "type your own",
    "type your answer",
    "type it",
    "type below",
    "enter your own",
    "custom",
    "write your own",
    "free text",
    "let me type",
    "i will type",
    "i'll type",
    "bitte angeben",
    "bitte beschreiben",
    "précisez",
    "à préciser",
    "especificar",
    "especifique",
    "por favor especifique",
    "specificare",
    "указать",
    "укажите",
    "请说明",
    "請說明",
    "ご記入ください",
];

static FOLDED_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| folded(WORDS));
static FOLDED_REQUESTS: LazyLock<HashSet<String>> = LazyLock::new(|| folded(REQUESTS));

fn folded(words: &[&str]) -> HashSet<String> {
    words.iter().map(|word| text::fold(word)).collect()
}

/// Whether an option with this label only stands for "something that isn't in the list".
pub(crate) fn means_other(label: &str) -> bool {
    const LONGEST: usize = 120;
    if label.len() > LONGEST {
        return false;
    }
    let label = text::fold(text::strip_recommended(label));
    let label = bare(&label);
    if FOLDED_WORDS.contains(label) {
        return true;
    }
    let Some((word, request)) = label.split_once(['(', ':', ',', '-', '–', '—', '/']) else {
        return false;
    };
    let request = bare(request.trim().trim_start_matches('(').trim_end_matches(')'));
    FOLDED_WORDS.contains(word.trim()) && FOLDED_REQUESTS.contains(request)
}

/// Without the punctuation that says that something follows.
fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '…', ':', '!', '?', ' '])
}

#[cfg(test)]
mod tests {
    use super::means_other;

    #[test]
    fn other_is_known_in_many_dresses() {
        for label in [
            "Other",
            "OTHER…",
            " other ",
            "Others...",
            "Other (please specify)",
            "Other:",
            "Other, please specify",
            "Other - type your own",
            "Something else",
            "Custom",
            "Type your own...",
            "Other (Recommended)",
            "Sonstiges (bitte angeben)",
            "Autre",
            "その他（ご記入ください）",
            "其他",
            "Другое",
            "Ｏther",
        ] {
            assert!(means_other(label), "{label}");
        }
    }

    #[test]
    fn answers_with_a_meaning_stay() {
        for label in [
            "None of the above",
            "Other: use Redis",
            "Other team",
            "Custom domain",
            "Más",
            "Mother",
            "The other one",
            "Neither",
            "",
            "(please specify)",
            "Other (the blue one)",
        ] {
            assert!(!means_other(label), "{label}");
        }
    }
}
