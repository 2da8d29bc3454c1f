/** What a collection says of itself: the members of data/collection.json, and what follows from them. */
import { array, languageTexts, partialObject, object, string, type Static } from "./schema.ts";

/** Languages of the pages, by what they call themselves. */
export const languageNames = { ja: "日本語", en: "English" } as const;

/** A language of the pages. */
export type Language = keyof typeof languageNames;

/** A text in each language of the page. */
export type LanguageTexts = Readonly<Record<Language, string>>;

/** What nobody sees: joiners, fillers, marks of direction, variation selectors. */
const unseen =
  "\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2060-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0";
/** White space and what nobody sees say nothing alone. Control characters, and what turns the direction of all that follows, mislead. */
const visible = `^(?=[\\s\\S]*[^\\s${unseen}])[^\\u0000-\\u0008\\u000E-\\u001F\\u007F\\u202A-\\u202E\\u2066-\\u2069]*$`;
const line = (maxLength: number, description: string) =>
  string({ pattern: visible, maxLength, description });
/** A URL of the web with a host, and without a user name or a password, which nobody means to publish. */
const webUrlPattern = String.raw`^https?://(?:\[[\da-fA-F:.]+\]|[^/?#@:%\s]+)(?::\d{1,5})?(?:[/?#]|$)`;

const url = (description: string) =>
  string({ format: "uri", pattern: webUrlPattern, maxLength: 2000, description });
const texts = (maxLength: number, description: string) =>
  languageTexts(Object.keys(languageNames) as Language[], line(maxLength, "A text."), {
    description,
  });

/** The file data/collection.json. Contact and license have the members of OpenAPI's objects of these names. */
export const collectionFile = partialObject("Collection", "How a collection presents itself.", {
  $schema: string({ description: "Where editors find this schema.", maxLength: 2000 }),
  title: texts(200, "Name of the collection: a text, or one for each language of the page."),
  description: texts(2000, "What the posts are about, in a few sentences."),
  language: string({
    pattern: "^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$",
    maxLength: 35,
    description:
      'Language of the posts (BCP 47), such as "ja" or "en-GB". It decides which page is at /.',
  }),
  publisher: object(
    "Publisher",
    "Who publishes the collection.",
    { name: line(200, "Name of the publisher."), url: url("Home page of the publisher.") },
    ["name"],
  ),
  contact: partialObject("Contact", "Whom to ask about the collection.", {
    name: line(200, "Name of a person or a group."),
    url: url("A page that says how to get in touch."),
    email: string({ format: "email", maxLength: 320, description: "An address for mail." }),
  }),
  license: {
    ...object(
      "License",
      "Terms under which the posts may be used.",
      {
        name: line(200, 'Name of the license, such as "CC BY 4.0".'),
        identifier: string({
          pattern: "^[A-Za-z0-9.+ ()-]{1,100}$",
          description: 'Its SPDX expression, such as "CC-BY-4.0". Not beside url.',
        }),
        url: url("The text of the license. Not beside identifier."),
      },
      ["name"],
    ),
    not: { properties: { identifier: {}, url: {} }, required: ["identifier", "url"] },
  },
  pictures: array(
    string({
      pattern: String.raw`^https://(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z\d](?:[a-z\d-]*[a-z\d])?(?::\d{1,5})?$`,
      maxLength: 260,
      description: 'A host with https, such as "https://img.example".',
    }),
    {
      maxItems: 20,
      description:
        "Hosts whose pictures are shown in posts on the page; of others, there is a link.",
    },
  ),
  postUrl: string({
    pattern: "\\{postId\\}",
    maxLength: 2000,
    description:
      "URL of a post's page, with {postId} and, if wanted, {site}: as the option --post-url.",
  }),
});

/** Contents of data/collection.json, and what a pull brings of it with an export. */
export type CollectionFile = Static<typeof collectionFile>;

/** What the posts of a collection say by themselves. */
export interface CollectionFacts {
  /** Number of posts. */
  readonly posts: number;
  /** Dates of the oldest and the newest post; empty without posts. */
  readonly firstDate: string;
  readonly lastDate: string;
}

/** A collection as the function knows it, in English where its publisher has written it. */
export interface CollectionSummary extends CollectionFacts {
  /** Empty where nobody has named it. */
  readonly title: string;
  readonly description: string;
}

/** A collection as it presents itself. What nobody has said is undefined. */
export interface Collection {
  readonly title: LanguageTexts | undefined;
  readonly description: LanguageTexts | undefined;
  readonly language: string | undefined;
  readonly publisher: CollectionFile["publisher"] | undefined;
  readonly contact: CollectionFile["contact"] | undefined;
  readonly license: CollectionFile["license"] | undefined;
  /** Hosts whose pictures the page shows. */
  readonly pictures: readonly string[];
}

/** Whether a code of two letters, or what it begins with, is one of ISO 639: "jp" is a country. Of three letters, ICU knows only some. */
export const isLanguage = (code: string): boolean =>
  !/^[a-z]{2}(?![a-z])/i.test(code) ||
  new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(code.slice(0, 2)) !==
    undefined;

/** The language of the page at /. The page in the other one is below its own name: see `pagePath`. */
export const mainLanguage = ({
  language = "ja",
}: Partial<Pick<Collection, "language">>): Language =>
  /^(?:ja|jpn)\b/i.test(language) ? "ja" : "en";

/**
 * Path of the page in a language.
 *
 * @param main the language of the page at /
 */
export const pagePath = (language: Language, main: Language): string =>
  language === main ? "/" : `/${language}/`;

/**
 * Path of the documentation.
 *
 * @param main the language of the page at /
 */
export const docsPath = (language: Language, main: Language): string =>
  `${pagePath(language, main)}docs/`;

/** A text as a line, without the white space that no page shows. */
const escapeUnseen = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** The same text in each language, where it was given once. */
const inEach = (text: string | Partial<LanguageTexts>): LanguageTexts => {
  const given = typeof text === "string" ? { ja: text, en: text } : text;
  const some = Object.values(given)[0] ?? "";
  return { ja: escapeUnseen(given.ja ?? some), en: escapeUnseen(given.en ?? some) };
};

/** The same with its name as a line. */
const named = <T extends { readonly name?: string }>(about: T | undefined): T | undefined =>
  about?.name === undefined ? about : { ...about, name: escapeUnseen(about.name) };

/** What a collection says of itself, from its file. */
export const completeCollection = (file: CollectionFile): Collection => ({
  title: file.title === undefined ? undefined : inEach(file.title),
  description: file.description === undefined ? undefined : inEach(file.description),
  language: file.language,
  publisher: named(file.publisher),
  contact: named(file.contact),
  license: named(file.license),
  pictures: file.pictures ?? [],
});

/** A text that ends as a sentence does, so that another may follow. */
export const asSentence = (text: string): string =>
  /\p{Po}["'\p{Pe}\p{Pf}]*$/u.test(text) ? text : `${text}.`;

/** Years of the first and the last post, such as "2018–2026"; empty without posts. */
export function describeYears({ firstDate, lastDate }: CollectionFacts): string {
  const [first, last] = [firstDate, lastDate].map((date) => date.replace(/-\d\d-\d\dT.*$/, ""));
  return first === last ? (first ?? "") : `${first}–${last}`;
}

/** How many posts there are, and of which years, as a sentence for programs and agents. */
export function factsSentence(facts: CollectionFacts): string {
  const years = describeYears(facts);
  const posts = `${facts.posts.toLocaleString("en-US")} ${facts.posts === 1 ? "post" : "posts"}`;
  return `${posts}${years === "" ? "" : `, ${years}`}.`;
}
