/** Stop words: what a question is put with, and not what it is about. */

/** English: the stop words of the Snowball project (https://snowballstem.org), with "can" and "may". */
const english =
  "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing would should could ought can may a an the and but if or because as until while of at by for with about against between into through during before after above below to from up down in out on off over under again further then once here there when where why how all any both each few more most other some such no nor not only own same so than too very wo";

/** Japanese: pronouns, auxiliaries and particles of two characters and more, also as ICU's dictionary cuts them. */
const japanese =
  "これ それ あれ どれ この その あの どの ここ そこ どこ こう そう どう いつ だれ なに なぜ どうして どんな こんな そんな どちら いくつ いくら です でした でしょ でしょう しょう だった である ます ました ません ませ まし ですか ますか ありま すか ですが ですけど する します しま した して して いる すれ すれば したら され される いる いた いて いま てい ている ある あり あった あれば なる なり なった なっ なら ない なく なくて なかった たい たく られ られる れる れば せる もらう もらえる もらい くれる くだ さい ください ほしい いい よい よく という といった として とって について に関する に対する において によって ため ための ように ような よう みたい から まで より だけ しか など なども でも では には とは へは ので のに けど けれど しかし また そして たら ても とき こと もの ところ うち ほう";

const words: ReadonlySet<string> = new Set(`${english} ${japanese}`.split(" "));
/** What English adds to such words: "don't", "what's". */
const contraction = /(?:(?:(?<!ca)n)?['’]t|['’](?:s|re|ve|d|ll|m))$/;

/**
 * Whether a word is a stop word.
 *
 * @param word normalised
 */
export const isStopword = (word: string): boolean => words.has(word.replace(contraction, ""));
