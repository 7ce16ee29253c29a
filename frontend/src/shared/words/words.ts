/** A vocabulary: what each word stands for. */
type Vocabulary<Word extends string, Meaning = unknown> = Readonly<Record<Word, Meaning>>;

/** The words of a vocabulary, in its order. */
export function wordsOf<Word extends string>(vocabulary: Vocabulary<Word>): Word[] {
  return Object.keys(vocabulary) as Word[];
}

/** True if a text, such as a part of an address, is a word of the vocabulary. */
export function isWord<Word extends string>(vocabulary: Vocabulary<Word>, text: string): text is Word {
  return Object.hasOwn(vocabulary, text);
}

/** Returns the meaning of a text that may be one of the words. */
export function meaningOf<Meaning>(vocabulary: Vocabulary<string, Meaning>, text: string): Meaning | undefined {
  return isWord(vocabulary, text) ? vocabulary[text] : undefined;
}
