"""parity.py FOLDER [TOKENIZER_JSON...]: what the Python package `tokenizers` makes of a corpus, for parity_test.cpp to compare with.

FOLDER/assigned.txt holds, one range a line, the code points that the C++ side's Unicode tables assign. Written there: one tokenizer.json
for each kind below, and truth.json with the texts, their ids and what the ids decode to.
"""

import json
import pathlib
import random
import sys
import unicodedata

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).resolve().parent

# Both families' own patterns; they differ in how many digits stand together.
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
# A code point that each version of Unicode was the first to assign.
FIRST_OF_VERSION = {"12.1": 0x32FF, "13.0": 0x08BE, "14.0": 0x061D, "15.0": 0x0CF3, "15.1": 0x2FFC, "16.0": 0x1C89}


def byte_level(use_regex, add_prefix_space=False):
    return pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space, use_regex=use_regex)


def split(pattern, behavior, invert=False):
    return pre_tokenizers.Split(pattern, behavior, invert)


def train(corpus, pre_tokenizer, normalizer=None, specials=(), ignore_merges=False):
    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, initial_alphabet=alphabet, special_tokens=list(specials), show_progress=False)
    tokenizer.train_from_iterator(corpus, trainer)
    return tokenizer


def llama3(corpus):
    tokenizer = train(corpus, pre_tokenizers.Sequence([split(Regex(LLAMA3), "isolated"), byte_level(False)]), ignore_merges=True)
    tokenizer.add_special_tokens(["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"])
    begin = ("<|begin_of_text|>", tokenizer.token_to_id("<|begin_of_text|>"))
    template = processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[begin])
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(), template])
    return tokenizer


def qwen(corpus):
    tokenizer = train(corpus, pre_tokenizers.Sequence([split(Regex(QWEN), "isolated"), byte_level(False)]), normalizers.NFC())
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in ("<think>", "</think>", "<tool_call>", "</tool_call>")])
    return tokenizer


def smollm(corpus):
    steps = [pre_tokenizers.Digits(individual_digits=True), byte_level(True)]
    return train(corpus, pre_tokenizers.Sequence(steps), specials=["<|endoftext|>", "<|im_start|>", "<|im_end|>"])


def gpt2_prefixed(corpus):
    tokenizer = train(corpus, byte_level(True, add_prefix_space=True), normalizers.Sequence([normalizers.NFC()]))
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, rstrip=True, normalized=False), "<|endoftext|>"])
    words = [AddedToken("word", single_word=True), AddedToken("caf\u00e9token", normalized=True), AddedToken("cafe", lstrip=True)]
    tokenizer.add_tokens(words + [AddedToken("<|im_start|", rstrip=True), AddedToken(" fox", rstrip=True, normalized=False)])
    end = ("<|endoftext|>", tokenizer.token_to_id("<|endoftext|>"))
    tokenizer.post_processor = processors.TemplateProcessing(single="$A <|endoftext|> <|endoftext|>", special_tokens=[end])
    return tokenizer


def digits_prefixed(corpus, individual):
    """Every digit, or every run of digits, gets a prefix space of its own."""
    return train(corpus, pre_tokenizers.Sequence([pre_tokenizers.Digits(individual), byte_level(True, add_prefix_space=True)]))


def overlapping(corpus):
    """Added tokens that begin in the white space that another one takes, or in a word that is no match."""
    tokenizer = train(corpus, byte_level(True, add_prefix_space=True))
    spaced = [AddedToken("<a>", rstrip=True, normalized=False), AddedToken(" <b>", normalized=False), AddedToken("\t", normalized=False)]
    others = [AddedToken("<l>", lstrip=True, normalized=False), AddedToken("lone", single_word=True, normalized=False)]
    tokenizer.add_tokens(spaced + others + [AddedToken("ones", normalized=False)])
    return tokenizer


def behaviors(corpus):
    """One small tokenizer for every behaviour of Split, straight and inverted, over a pattern and over a string."""
    kinds = {}
    for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"):
        for invert in (False, True):
            for name, pattern in (("regex", Regex(r"[aeiou\s]|$|(?<=\d)(?=\d)")), ("string", " ")):
                steps = [split(pattern, behavior, invert), pre_tokenizers.Digits(individual_digits=invert), byte_level(False)]
                kinds[f"{behavior}-{name}{'-inverted' if invert else ''}"] = train(corpus, pre_tokenizers.Sequence(steps))
    return kinds


def package_assigns():
    """The code points that the package's own tables assign, asked through its regular expressions."""
    probe = pre_tokenizers.Split(Regex(r"[\p{Cn}\p{Cs}]"), "removed")
    points = [point for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF]
    return {ord(c) for begin in range(0, len(points), 4096) for text, _ in probe.pre_tokenize_str("".join(map(chr, points[begin : begin + 4096]))) for c in text}


def assigned_everywhere(folder):
    package = package_assigns()
    print(f"tokenizers {tokenizers.__version__}, Unicode {max((v for v, p in FIRST_OF_VERSION.items() if p in package), key=float)}")
    ours = set()
    for line in (folder / "assigned.txt").read_text().splitlines():
        first, last = (int(number, 16) for number in line.split())
        ours.update(range(first, last + 1))
    return sorted(point for point in package & ours if unicodedata.category(chr(point)) not in ("Cn", "Cs"))


def read_corpus(assigned):
    known = set(assigned)
    texts = [json.loads(line) for line in (HERE / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    # Code points that one of the tables does not assign are taken out: their class is not settled.
    return ["".join(c for c in text if ord(c) in known) for text in texts]


def every_code_point(assigned, draw):
    """All assigned code points in shuffled order, in texts of 500, with letters, digits, spaces and breaks strewn in."""
    points = list(assigned)
    draw.shuffle(points)
    for begin in range(0, len(points), 500):
        yield "".join(draw.choice(["", "", "", " ", "a", "'s", "7", "\n", "  "]) + chr(point) for point in points[begin : begin + 500])


def mixtures(assigned, draw):
    """Short texts over few code points, so that rules meet each other often."""
    small = [" ", "  ", "\n", "\r\n", "\t", "a", "B", "\u00e9", "e\u0301", "7", "42", "'s", "'LL", "_", "!", "...", "\u4e2d", "\U0001f600", "\u200d", "\u00a0", "\u3000", "<|im_end|>", "<mask>", "word", "<a>", "<b>", "<l>", "lones"]
    for _ in range(1500):
        pool = small + [chr(draw.choice(assigned)) for _ in range(4)]
        yield "".join(draw.choice(pool) for _ in range(draw.randint(1, 40)))


def long_words():
    yield "a" * 5000
    yield "ab" * 3000 + " " + "7" * 2000
    yield " " * 3000 + "x" + "\n" * 500 + "\t" * 300
    yield "\u4e16\u754c" * 1500
    yield "the" * 2000 + "e\u0301" * 1000


def case(tokenizer, text, decodes):
    plain = tokenizer.encode(text, add_special_tokens=False).ids
    answer = {"text": text, "ids": plain}
    if decodes:
        special = tokenizer.encode(text, add_special_tokens=True).ids
        half = plain[: len(plain) // 2]  # may end inside a character
        answer.update(ids_with_special=special, half=tokenizer.decode(half))
        answer.update(decoded=[tokenizer.decode(special, skip_special_tokens=skip) for skip in (False, True)])
    return answer


def main():
    folder = pathlib.Path(sys.argv[1])
    assigned = assigned_everywhere(folder)
    corpus = read_corpus(assigned)
    draw = random.Random(20240229)
    texts = corpus + list(long_words()) + list(mixtures(assigned, draw)) + list(every_code_point(assigned, draw))
    kinds = {"llama3": llama3(corpus), "qwen": qwen(corpus), "smollm": smollm(corpus), "gpt2-prefixed": gpt2_prefixed(corpus)}
    kinds.update({"digits-prefixed": digits_prefixed(corpus, False), "digit-prefixed": digits_prefixed(corpus, True), "overlapping": overlapping(corpus)})
    plan = {name: (tokenizer, texts) for name, tokenizer in kinds.items()}
    plan.update({name: (tokenizer, corpus) for name, tokenizer in behaviors(corpus).items()})
    plan.update({path: (Tokenizer.from_file(path), texts) for path in sys.argv[2:]})
    truth = []
    for name, (tokenizer, cases) in plan.items():
        file = folder / f"{len(truth)}.json"
        tokenizer.save(str(file))
        answers = [case(tokenizer, text, position < len(corpus)) for position, text in enumerate(cases)]
        truth.append({"name": name, "file": str(file), "vocab_size": tokenizer.get_vocab_size(), "cases": answers})
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
