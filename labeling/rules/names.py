"""Treats user names that look alike as one name (pure)."""

import unicodedata

# Small letters of other scripts that are drawn like a Latin one, or whose capital is.
CYRILLIC = str.maketrans("авсԁеһкӏмнорԛгѕтуүѵԝхієїјё", "abcdehklmhopqrstyyvwxieijë")
GREEK = str.maketrans("αβεζηικμνορτυχγσ", "abezhikmvoptuxyo")
ARMENIAN = str.maketrans("օոսհյզց", "onuhjqg")
LATIN = str.maketrans("ıɑɡ", "iag")
LOOK_ALIKES = CYRILLIC | GREEK | ARMENIAN | LATIN


def key(username: str) -> str:
    """Returns the same for names that differ only in case, width or script: “Ada”, “ＡＤＡ”, “аdа” with Cyrillic
    letters.
    """
    return unicodedata.normalize("NFKC", username).casefold().translate(LOOK_ALIKES)
