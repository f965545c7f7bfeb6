/** The language of the window. Every text that a person reads comes from a catalogue. */
import { english, type Catalogue } from './en';
import { Formats } from './formats';

type Loader = (formats: Formats) => Promise<Catalogue>;

/** Every language but English, which is always there; loaded when chosen. */
const CATALOGUES: Record<string, Loader> = {
  de: async (formats) => (await import('./de')).german(formats),
};

if (import.meta.env.DEV || import.meta.env.MODE === 'test') {
  CATALOGUES['en-XA'] = async (formats) => {
    return (await import('./pseudo')).pseudoCatalogue(english(formats));
  };
  CATALOGUES['ar-XB'] = async (formats) => {
    return (await import('./pseudo')).pseudoCatalogue(english(formats));
  };
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

class I18n {
  /** Language tag of the catalogue in use. */
  locale = $state('en');
  format = $state.raw(new Formats('en'));
  text: Catalogue = $state.raw(english(new Formats('en')));

  get direction(): 'ltr' | 'rtl' {
    return RIGHT_TO_LEFT.has(this.locale.split('-')[0] ?? '') ? 'rtl' : 'ltr';
  }

  /** Uses the wanted language, or the first of the system's that we have, or English. */
  async use(wanted: string): Promise<void> {
    const tags = wanted === 'system' ? navigator.languages : [wanted];
    const tag = tags.find((one) => isEnglish(one) || catalogueOf(one)) ?? 'en';
    if (tag === this.locale) return;
    const formats = new Formats(tag === 'en-XA' ? 'en' : tag === 'ar-XB' ? 'ar' : tag);
    const load = catalogueOf(tag);
    const text = load ? await load(formats) : english(formats);
    this.locale = tag;
    this.format = formats;
    this.text = text;
  }
}

function isEnglish(tag: string): boolean {
  return /^en(-|$)/.test(tag) && !CATALOGUES[tag];
}

function catalogueOf(tag: string): Loader | undefined {
  return CATALOGUES[tag] ?? CATALOGUES[tag.split('-')[0] ?? ''];
}

export const i18n = new I18n();
