/**
 * Abbreviations by language: words whose full stop does not end a sentence. Lower case, without the full stop.
 *
 * All lists apply to every text, because texts mix languages and many requests keep the default language. Do not add
 * a word that also ends sentences in another listed language. `guards.ts` recognizes abbreviations of single letters
 * ("e.g.", "z. B.", "U.S.", "J. R. R."). The lists contain a single letter only if it precedes names ("г. Москва");
 * after a number the same letter is a unit ("5 g.").
 */
const byLanguage = {
  en: `mr mrs ms mx dr prof rev hon gov sen rep gen col lt capt cmdr sgt maj st ave blvd mt jr sr vs etc approx
    dept inc ltd corp co cf al esp`,
  de: `hr fr frl dipl ing nr str bzw usw ca evtl ggf inkl exkl zzgl vgl sog bspw bzgl geb gest jh mio mrd tel abs
    abt bd hrsg allg ugs urspr verh wiss jahrh inh`,
  es: `sra srta dra ud uds vd vds dña pág págs núm aprox admón avda prov lic arq gral cía excmo`,
  fr: `mme mlle mgr boul env éd apr av ste`,
  it: `sig sigg dott ssa avv geom rag spett egr pag pagg ecc prof`,
  pt: `dr dra sra srs exmo exma prof profa eng lda ltda pág av`,
  nl: `dhr mevr mw drs bijv enz blz jl tav zgn nl mln mld`,
  da: `f.eks`,
  sv: `jfr`,
  fi: `esim vrt`,
  et: `nt prl`,
  lv: `piem u.c`,
  lt: `p pvz`,
  pl: `al gen inż itp mgr np pl plk ppłk tzn ul św`,
  cs: `mudr judr např p phdr pí sv tj tzv tř ul`,
  sk: `napr`,
  sl: `g gdč npr`,
  hr: `gdin gđa gđica`,
  hu: `ifj szt özv pl`,
  ro: `dl dv`,
  tr: `bkz doç yrd örn`,
  el: `αγ βλ δηλ δρ κ κα καθ κος λεωφ οδ`,
  ru: `акад г гр доц инж наб обл пер пл пр проф просп св тов ул`,
  uk: `вул м р ім пров`,
  bg: `бул`,
  ar: `أ د م`,
  hi: `डॉ डा पं प्रो मो रु श्री श्रीमती सु`,
  id: `drs kh tn`,
  vi: `gs pgs ths tp ts`,
} as const;

/** Words that count as abbreviations only before a number: "No. 5", "Fig. 3", "Jan. 1". */
const beforeNumber = `no nos fig figs vol vols p pp ch sec art op ed ver ext apt par para jan feb mar apr jun jul aug
  sep sept oct okt nov dec dez kap ziff nº n s abb tab anm cap art tom num č čís godz kl lk σελ αρ гл д кв п рис см ст
  стр т табл`;

const words = (list: string): string[] => list.split(/\s+/);

export const abbreviations: ReadonlySet<string> = new Set(Object.values(byLanguage).flatMap(words));
export const numberAbbreviations: ReadonlySet<string> = new Set(words(beforeNumber));

/** Languages that write an ordinal as a number with a full stop ("3. Oktober"). */
export const ordinalStopLanguages: ReadonlySet<string> = new Set(
  words('de da nb nn no fi et lv hu cs sk sl hr sr bs pl tr is lt'),
);
