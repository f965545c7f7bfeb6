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
    "free text answer",
    "free form",
    "freeform",
    "freeform answer",
    "type here",
    "type something else",
    "type a different answer",
    "type my own",
    "i'll type my own",
    "enter custom value",
    "enter a custom value",
    "enter something else",
    "custom value",
    "custom option",
    "custom text",
    "custom choice",
    "own answer",
    "my own answer",
    "write my own",
    "write my own answer",
    "write in",
    "write-in",
    "specify other",
    "a different answer",
    "another answer",
    "other choice",
    "other/custom",
    "other / custom",
    "other / something else",
    // German
    "andere",
    "anderes",
    "anderer",
    "sonstiges",
    "sonstige",
    "etwas anderes",
    "eigene antwort",
    "andere antwort",
    "andere option",
    "eigene eingabe",
    "eigener vorschlag",
    "eigener text",
    "freitext",
    "freie eingabe",
    // French
    "autre",
    "autres",
    "autre chose",
    "autre réponse",
    "autre option",
    "autre choix",
    "réponse libre",
    "texte libre",
    "personnalisé",
    // Spanish, Portuguese, Italian, Romanian
    "otro",
    "otra",
    "otros",
    "otras",
    "otra cosa",
    "otra opción",
    "otra respuesta",
    "otro valor",
    "algo más",
    "respuesta libre",
    "texto libre",
    "personalizado",
    "outro",
    "outra",
    "outros",
    "outra coisa",
    "outra opção",
    "outra resposta",
    "texto livre",
    "altro",
    "altra opzione",
    "altra risposta",
    "testo libero",
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
    "anders, namelijk",
    "andere optie",
    "ander antwoord",
    "egen",
    "eget svar",
    "annet svar",
    "annat",
    "något annat",
    "andet",
    "noget andet",
    "annet",
    "noe annet",
    "muu",
    "jokin muu",
    "muu vaihtoehto",
    "muu vastaus",
    // Polish, Czech, Slovak, Hungarian, Turkish, Greek
    "inne",
    "inny",
    "coś innego",
    "inna odpowiedź",
    "inna opcja",
    "własna odpowiedź",
    "jiné",
    "jiný",
    "něco jiného",
    "jiná možnost",
    "jiná odpověď",
    "jinak",
    "vlastní odpověď",
    "iné",
    "niečo iné",
    "iná možnosť",
    "egyéb",
    "valami más",
    "diğer",
    "başka",
    "başka bir şey",
    "άλλο",
    "κάτι άλλο",
    "άλλη απάντηση",
    "drugo",
    "ostalo",
    "nešto drugo",
    "друго",
    "остало",
    "нещо друго",
    "kita",
    "cits",
    "cita",
    "muu vastus",
    "midagi muud",
    // Russian, Ukrainian
    "другое",
    "другой",
    "другой вариант",
    "что-то другое",
    "иное",
    "свой вариант",
    "другой ответ",
    "другая",
    "что-нибудь другое",
    "інший варіант",
    "інший",
    "своя відповідь",
    "інше",
    "щось інше",
    // Japanese, Chinese, Korean, Vietnamese, Indonesian, Thai
    "その他",
    "それ以外",
    "その他の回答",
    "自由入力",
    "自由記述",
    "自由回答",
    "直接入力",
    "其他",
    "其它",
    "其他选项",
    "自定义",
    "自定义输入",
    "自定义答案",
    "自己输入",
    "自行输入",
    "其他答案",
    "其他選項",
    "自行輸入",
    "自訂答案",
    "自訂",
    "기타",
    "직접 입력",
    "직접입력",
    "그 외",
    "khác",
    "lainnya",
    "lain-lain",
    "lain lain",
    "yang lain",
    "iba pa",
    "อื่น ๆ",
    "อื่น",
    "อื่นๆ",
    // Arabic, Hebrew, Hindi
    "أخرى",
    "آخر",
    "غير ذلك",
    "אחר",
    "משהו אחר",
    "अन्य",
    "অন্যান্য",
    "অন্য",
    "دیگر",
    "سایر",
    "موارد دیگر",
    "مورد دیگر",
    "خيار آخر",
    "إجابة أخرى",
    "شيء آخر",
    "אפשרות אחרת",
    "תשובה אחרת",
    "कुछ और",
];

/// How a request for the person's own words begins, in parentheses or after a dash, colon or
/// comma.
const REQUESTS: &[&str] = &[
    "please",
    "specify",
    "describe",
    "explain",
    "type your",
    "type my",
    "type it",
    "type in",
    "type below",
    "type here",
    "type a ",
    "enter",
    "custom",
    "write",
    "free text",
    "freeform",
    "free-form",
    "let me",
    "tell me",
    "tell us",
    "fill in",
    "i will",
    "i'll",
    "bitte",
    "angeben",
    "précise",
    "à préciser",
    "préciser",
    "especifi",
    "por favor",
    "specifica",
    "указать",
    "укажите",
    "уточните",
    "proszę",
    "podaj",
    "uveďte",
    "belirt",
    "lütfen",
    "ange",
    "angi",
    "namelijk",
    "直接",
    "请",
    "請",
    "自由",
    "ご記入",
    "具体的",
    "직접",
    "פרט",
    "يرجى",
    "ghi rõ",
    "sebutkan",
    "कृपया",
    "ระบุ",
];

static FOLDED_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| folded(WORDS));
static FOLDED_REQUESTS: LazyLock<Vec<String>> =
    LazyLock::new(|| REQUESTS.iter().map(|request| text::fold(request)).collect());

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
    let label = undressed(&label);
    if FOLDED_WORDS.contains(label) {
        return true;
    }
    let Some((word, request)) = label.split_once(['(', ':', ',', '-', '–', '—', '/', '→', '['])
    else {
        return false;
    };
    let request = request.trim().trim_start_matches(['(', '>']).trim_end_matches([')', ']']);
    let asks = |request: &str| {
        matches!(request, "" | "type" | "text")
            || FOLDED_REQUESTS.iter().any(|r| request.starts_with(r))
    };
    FOLDED_WORDS.contains(undressed(word)) && asks(bare(request.trim_end_matches(['_', ' '])))
}

/// Without a number or letter before it, a picture, marks of emphasis and quotation, and the
/// punctuation that says that something follows.
fn undressed(label: &str) -> &str {
    let is_dress = |c: char| !c.is_alphanumeric() && !matches!(c, '(' | '[');
    let label = bare(label.trim_start_matches(is_dress));
    let enumerated = label.split_once(['.', ')', ':']).filter(|(number, _)| {
        let mut chars = number.chars();
        matches!((chars.next(), chars.next()), (Some(c), None) if c.is_alphanumeric())
            || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    });
    let label = enumerated.map_or(label, |(_, rest)| rest.trim());
    let inner = [('(', ')'), ('[', ']')]
        .iter()
        .find_map(|(open, close)| label.strip_prefix(*open)?.strip_suffix(*close));
    bare(inner.unwrap_or(label).trim_end_matches(['*', '_', '"', '\'', '”', '»']))
}

/// Without the punctuation that says that something follows.
fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '…', ':', '!', '?', '*', '"', '”', ' '])
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
            "✏️ Other",
            "3. Other",
            "C) Something else",
            "[Other]",
            "**Other**",
            "Other: ___",
            "Other (I'll describe it)",
            "기타 (직접 입력)",
            "Diğer (belirtiniz)",
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
            "Different",
            "1. Other team",
            "Custom (v2)",
            "(3)",
        ] {
            assert!(!means_other(label), "{label}");
        }
    }
}
