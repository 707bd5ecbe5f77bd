"""Every relation that questions and claims are made of, in the words in which people ask.

`{p}` is the page that the fact stands on, `{d}` the page or a description of it ("the composer of
Swan Lake"), `{v}` the value. The first of `asks` is also what an agent asks itself.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Relation:
    kind: str  # of the value: who, where, year, number, what
    seek: str  # what an agent needs: goes after "I need"
    asks: tuple[str, ...]
    says: tuple[str, ...]  # the fact as a claim
    describes: tuple[str, ...] = ()  # its value, by way of the page
    keys: tuple[str, ...] = ()  # beginnings of words that a sentence about it has


def person(noun: str, did: str, done: str, *keys: str) -> Relation:
    """Somebody who made or led something: the director of, directed, directed by."""
    return Relation(
        "who", f"the {noun} of {{p}}",
        (f"Who {did} {{d}}?", f"Who was the {noun} of {{d}}?", f"Who was {{d}} {done} by?", f"What is the name of the {noun} of {{d}}?"),
        (f"{{v}} {did} {{p}}.", f"{{p}} was {done} by {{v}}.", f"The {noun} of {{p}} was {{v}}."),
        (f"the {noun} of {{p}}", f"the person who {did} {{p}}", f"{{p}}'s {noun}"), keys)  # fmt: skip


def when(was: str, done: str, *keys: str) -> Relation:
    """The year of something: `was born`, `was {d} born`."""
    return Relation(
        "year", f"the year in which {{p}} {was}",
        (f"When {done}?", f"In which year {done}?", f"What year {done}?", f"In what year {done}?"),
        (f"{{p}} {was} in {{v}}.", f"{{p}} {was} in the year {{v}}.", f"In {{v}} {{p}} {was}."), (), keys)  # fmt: skip


def size(noun: str, how: str, unit: str, *keys: str) -> Relation:
    return Relation(
        "number", f"the {noun} of {{p}}",
        (f"How {how} is {{d}}?", f"What is the {noun} of {{d}}?", f"How many {unit} {how} is {{d}}?", f"How {how} is {{d}} in {unit}?"),
        (f"{{p}} is {{v}} {unit} {how}.", f"The {noun} of {{p}} is {{v}} {unit}."), (), keys)  # fmt: skip


def where(
    seek: str, asks: tuple[str, ...], says: tuple[str, ...], describes: tuple[str, ...], *keys: str
) -> Relation:
    return Relation("where", seek, asks, says, describes, keys)


def what(
    seek: str, asks: tuple[str, ...], says: tuple[str, ...], describes: tuple[str, ...], *keys: str
) -> Relation:
    return Relation("what", seek, asks, says, describes, keys)


RELATIONS: dict[str, Relation] = {
    "director": person("director", "directed", "directed", "direct"),
    "author": person("author", "wrote", "written", "wrote", "written", "author", "novel", " by "),
    "composer": person("composer", "composed", "composed", "compos", "music", "opera", " by ", "wrote"),
    "painter": person("painter", "painted", "painted", "paint"),
    "sculptor": person("sculptor", "made", "made", "sculpt", "statue", " by "),
    "architect": person("architect", "designed", "designed", "architect", "design"),
    "designer": person("designer", "designed", "designed", "design"),
    "engineer": person("engineer", "engineered", "engineered", "engineer"),
    "builder": person("builder", "built", "built", "buil"),
    "inventor": person("inventor", "invented", "invented", "invent"),
    "founder": person("founder", "founded", "founded", "found", "set up", "started"),
    "discoverer": person("discoverer", "discovered", "discovered", "discover", "found"),
    "discovered_by": person("discoverer", "discovered", "discovered", "discover", "found"),
    "producer": person("producer", "produced", "produced", "produc"),
    "screenwriter": person("screenwriter", "wrote the script of", "scripted", "script", "screenplay"),
    "librettist": person("librettist", "wrote the libretto of", "given its words", "libretto", "librettist", "words"),
    "performer": person("singer or band", "recorded", "recorded", "record", "album", "song", "sung"),
    "translator": person("translator", "translated", "translated", "translat"),
    "teacher": person("teacher", "taught", "taught", "teach", "taught", "pupil", "studied"),
    "commander": person("commander", "commanded", "commanded", "command", "led", "under"),
    "first_climbed_by": person("first climber", "first climbed", "first climbed", "climb", "ascent", "summit", "top"),
    "father": Relation(
        "who", "the father of {p}",
        ("Who was the father of {d}?", "Who was {d}'s father?", "What was the name of {d}'s father?", "What was the father of {d} called?"),
        ("{v} was the father of {p}.", "The father of {p} was {v}."), ("the father of {p}", "{p}'s father"), ("father", "son", "daughter")),
    "spouse": Relation(
        "who", "whom {p} married",
        ("Who did {d} marry?", "Who was {d} married to?", "What was the name of {d}'s <spouse>?", "Who was the <spouse> of {d}?", "Who was {d}'s <spouse>?"),
        ("{p} married {v}.", "{p} was married to {v}.", "{v} was married to {p}."),
        ("the <spouse> of {p}", "{p}'s <spouse>", "the <noun> {p} married"), ("married", "wife", "husband", "marri", "wed")),
    "named_after": Relation(
        "what", "what {p} is named after",
        ("Who or what is {d} named after?", "What is {d} named after?", "Where does {d} get its name from?", "What gave {d} its name?"),
        ("{p} is named after {v}.", "{p} gets its name from {v}."),
        ("the <noun> {p} is named after", "the <noun> that gave {p} its name"), ("name", "honour", "called")),
    "victor": Relation(
        "who", "the winner of {p}",
        ("Who won {d}?", "Who was the winner of {d}?", "Who was victorious at {d}?", "Which commander won {d}?"),
        ("{v} won {p}.", "The winner of {p} was {v}."), ("the winner of {p}", "the person who won {p}"), ("won", "victor", "defeat", "beat")),
    "born_in": where(
        "the birthplace of {p}",
        ("Where was {d} born?", "What is the birthplace of {d}?", "What place was {d} born in?", "What is the name of the place where {d} was born?"),
        ("{p} was born in {v}.", "The birthplace of {p} is {v}.", "{p} came into the world in {v}."),
        ("the birthplace of {p}", "the <noun> where {p} was born", "{p}'s birthplace"), "born", "birth"),
    "died_in": where(
        "the <noun> where {p} died",
        ("Where did {d} die?", "What place did {d} die in?", "In which place did {d} die?", "What is the name of the place where {d} died?"),
        ("{p} died in {v}.", "It was in {v} that {p} died."),
        ("the <noun> where {p} died", "the place of {p}'s death"), "died", "death"),
    "buried_in": where(
        "the <noun> where {p} is buried",
        ("Where is {d} buried?", "What is the burial place of {d}?", "Where is the grave of {d}?", "Where does {d} lie buried?"),
        ("{p} is buried in {v}.", "The grave of {p} is in {v}."),
        ("the <noun> where {p} is buried", "{p}'s burial place"), "buried", "grave", "tomb"),
    "educated_at": where(
        "where {p} studied",
        ("Where did {d} study?", "Which school or university did {d} go to?", "Where did {d} go to school or university?", "Where was {d} educated?"),
        ("{p} studied at {v}.", "{p} was educated at {v}."),
        ("the place where {p} studied", "the school or university that {p} went to"), "studied", "school", "university", "educat", "study"),
    "taught_at": where(
        "where {p} taught",
        ("Where did {d} teach?", "Which school or university did {d} teach at?", "Where was {d} a teacher?", "At which place did {d} teach?"),
        ("{p} taught at {v}.", "{p} was a teacher at {v}."), ("the place where {p} taught", "the school or university where {p} taught"), "taught", "professor", "teach"),
    "country": where(
        "the country of {p}",
        ("In which country is {d}?", "What country is {d} in?", "Which country is {d} in?", "Which country does {d} belong to?"),
        ("{p} is in {v}.", "{p} belongs to {v}."), ("the country of {p}", "the country that {p} is in"), " in ", " of ", "country"),
    "located_in": where(
        "where {p} is",
        ("Where is {d}?", "Where is {d} located?", "What place is {d} in?", "Where can you find {d}?"),
        ("{p} is in {v}.", "{p} is located in {v}."), ("the <noun> where {p} is", "the <noun> that {p} is in"), " in ", " of ", " at "),
    "capital": where(
        "the capital of {p}",
        ("What is the capital of {d}?", "Which city is the capital of {d}?", "What is the capital city of {d}?", "What is the name of the capital of {d}?"),
        ("The capital of {p} is {v}.", "{v} is the capital of {p}."), ("the capital of {p}", "{p}'s capital"), "capital"),
    "headquarters": where(
        "the headquarters of {p}",
        ("Where is the headquarters of {d}?", "Where does {d} have its headquarters?", "Where is {d} based?", "What place is {d} run from?"),
        ("{p} has its headquarters in {v}.", "{p} is based in {v}."), ("the <noun> where {p} has its headquarters", "the <noun> where {p} is based"), "headquarter", "seat", "based"),
    "kept_in": where(
        "where {p} is kept",
        ("Where is {d} kept?", "Where can you see {d}?", "Which museum or place has {d}?", "Where is {d} today?"),
        ("{p} is kept in {v}.", "{p} can be seen in {v}."), ("the <noun> where {p} is kept", "the <noun> that has {p}"), "museum", "gallery", "kept", "hang"),
    "set_in": where(
        "where {p} is set",
        ("Where is {d} set?", "What place is {d} set in?", "Where does the story of {d} take place?", "Where does {d} take place?"),
        ("{p} is set in {v}.", "The story of {p} takes place in {v}."), ("the <noun> where {p} is set", "the setting of {p}"), "set ", "story", "takes place", "plays"),
    "premiered_in": where(
        "where {p} was first performed",
        ("Where was {d} first performed?", "Where was the premiere of {d}?", "Where did {d} premiere?", "What place saw the premiere of {d}?"),
        ("{p} was first performed in {v}.", "The premiere of {p} was in {v}."), ("the <noun> where {p} was first performed", "the place of the premiere of {p}"), "premier", "first perform", "first heard", "first night"),
    "place": where(
        "where {p} took place",
        ("Where did {d} take place?", "Where was {d}?", "Where did {d} happen?", "What was the place of {d}?"),
        ("{p} took place at {v}.", "{p} happened at {v}."), ("the <noun> where {p} took place", "the place of {p}"), "fought", "place", "near", "held", " at "),
    "launch_site": where(
        "the launch site of {p}",
        ("Where was {d} launched?", "Where was {d} launched from?", "What was the launch site of {d}?", "Where did {d} take off?"),
        ("{p} was launched from {v}.", "The launch site of {p} was {v}."), ("the launch site of {p}", "the place where {p} was launched"), "launch"),
    "on_river": what(
        "the river of {p}",
        ("Which river is {d} on?", "What river flows through {d}?", "On which river is {d}?", "What is the river of {d}?"),
        ("{p} lies on the {v}.", "The river of {p} is the {v}."), ("the river of {p}", "the river that {p} lies on"), "river", "bank", " on ", "flow"),
    "on_lake": what(
        "the lake of {p}",
        ("Which lake is {d} on?", "What lake does {d} lie on?", "On which lake is {d}?", "What is the lake by {d}?"),
        ("{p} lies on {v}.", "The lake by {p} is {v}."), ("the lake that {p} lies on", "the lake by {p}"), "lake", "shore"),
    "on_island": what(
        "the island of {p}",
        ("Which island is {d} on?", "On which island is {d}?", "What island is {d} on?", "What is the name of the island that {d} is on?"),
        ("{p} is on {v}.", "{p} lies on {v}."), ("the island that {p} is on", "the island of {p}"), "island", " on "),
    "crosses": what(
        "what {p} crosses",
        ("What does {d} cross?", "Which water does {d} cross?", "What river or water does {d} span?", "What does {d} go over?"),
        ("{p} crosses the {v}.", "{p} spans the {v}."), ("the water that {p} crosses", "the water under {p}"), "cross", "over", "span"),
    "flows_into": what(
        "what {p} flows into",
        ("What does {d} flow into?", "Where does {d} end?", "Which water does {d} flow into?", "What river or sea does {d} run into?"),
        ("{p} flows into the {v}.", "{p} ends in the {v}."), ("the water that {p} flows into", "the river or sea that {p} flows into"), "flow", "join", "empt", "reach", "meets"),
    "source_in": where(
        "the source of {p}",
        ("Where does {d} begin?", "Where is the source of {d}?", "Where does {d} rise?", "Where does {d} start?"),
        ("{p} rises in {v}.", "The source of {p} is in {v}."), ("the <noun> where {p} rises", "the <noun> where {p} begins"), "rise", "source", "spring", "begin"),
    "mountain_range": what(
        "the mountain range of {p}",
        ("Which mountain range is {d} in?", "What mountains does {d} belong to?", "What range is {d} part of?", "In which mountains is {d}?"),
        ("{p} is in the {v}.", "{p} belongs to the {v}."), ("the mountain range of {p}", "the mountains that {p} belongs to"), "range", "mountain", "alps", " in "),
    "highest_point": what(
        "the highest point of {p}",
        ("What is the highest point of {d}?", "What is the highest mountain of {d}?", "What is the highest place in {d}?", "What is the name of the highest point of {d}?"),
        ("The highest point of {p} is {v}.", "{v} is the highest point of {p}."), ("the highest point of {p}", "{p}'s highest point"), "highest"),
    "based_on": what(
        "what {p} is based on",
        ("What is {d} based on?", "Which work is {d} based on?", "Which work does {d} come from?", "What was {d} adapted from?"),
        ("{p} is based on {v}.", "{v} is the source of {p}."), ("the work that {p} is based on", "the source of {p}"), "based", "adapt", "after", "from"),
    "nationality": what(
        "the nationality of {p}",
        ("What nationality was {d}?", "What was the nationality of {d}?", "Which nationality did {d} have?", "What nationality did {d} have?"),
        ("By nationality {p} was {v}.",), (), " was ", " is "),
    "occupation": what(
        "the profession of {p}",
        ("What did {d} do for a living?", "What was the profession of {d}?", "What was {d}'s job?", "What was {d} by profession?"),
        ("By profession {p} was a {v}.",), (), " was ", " is ", "work", "as a"),
    "instrument": what(
        "the instrument of {p}",
        ("Which instrument did {d} play?", "What instrument did {d} play?", "What did {d} play?", "What was {d}'s instrument?"),
        ("{p} played the {v}.", "The instrument of {p} was the {v}."), (), "play", "ist"),
    "material": what(
        "what {p} is made of",
        ("What is {d} made of?", "Which material is {d} made of?", "What was used to build {d}?", "What material was used for {d}?"),
        ("{p} is made of {v}.",), (), "made", "built", " of "),
    "symbol": what(
        "the chemical symbol of {p}",
        ("What is the symbol of {d}?", "What is the chemical symbol of {d}?", "Which symbol does {d} have?", "What is the symbol for {d}?"),
        ("The symbol of {p} is {v}.",), (), "symbol"),
    "vehicle": what(
        "the rocket of {p}",
        ("Which rocket launched {d}?", "What rocket was {d} launched on?", "Which rocket carried {d}?", "What launched {d} into space?"),
        ("{p} was launched by {v}.", "{v} carried {p} into space."), ("the rocket that launched {p}", "the rocket of {p}"), "rocket", "launch"),
    "war": what(
        "the war of {p}",
        ("Which war was {d} part of?", "What war did {d} belong to?", "In which war was {d}?", "During which war did {d} happen?"),
        ("{p} was part of the {v}.", "{p} belongs to the {v}."), ("the war that {p} was part of", "the war of {p}"), "war"),
    "member_of": what(
        "the group of {p}",
        ("Which group did {d} belong to?", "What was {d} a member of?", "Which group was {d} in?", "What band or group was {d} in?"),
        ("{p} was a member of {v}.", "{p} belonged to {v}."), ("the group that {p} belonged to", "the band or group of {p}"), "member", "join", "band", "group"),
    "label": what(
        "the record label of {p}",
        ("Which label brought out {d}?", "What record label was {d} on?", "Which record label issued {d}?", "What label did {d} come out on?"),
        ("{p} came out on {v}.", "The label of {p} was {v}."), ("the record label of {p}", "the label that brought out {p}"), "label", "record"),
    "former_name": what(
        "the old name of {p}",
        ("What was {d} called before?", "What is the old name of {d}?", "What was {d} once called?", "What was the former name of {d}?"),
        ("{p} was once called {v}.", "The old name of {p} is {v}."), (), "called", "name", "known"),
    "nickname": what(
        "the nickname of {p}",
        ("What is the nickname of {d}?", "What is {d} nicknamed?", "What do people call {d}?", "What nickname does {d} have?"),
        ("The nickname of {p} is {v}.", "{p} is nicknamed {v}."), (), "nickname", "called", "known"),
    "motto": what(
        "the motto of {p}",
        ("What is the motto of {d}?", "What is {d}'s motto?", "Which motto does {d} have?", "What motto does {d} use?"),
        ("The motto of {p} is {v}.",), (), "motto"),
    "currency_name": what(
        "the money of {p}",
        ("What is the currency of {d}?", "What money do they use in {d}?", "What is the money of {d} called?", "Which currency does {d} have?"),
        ("The currency of {p} is the {v}.",), (), "currency", "money", "pay"),
    "publisher": Relation(
        "what", "the publisher of {p}",
        ("Who published {d}?", "Which publisher brought out {d}?", "What publisher did {d} come out with?", "Who was the publisher of {d}?"),
        ("{p} was published by {v}.", "{v} brought out {p}."), (), ("publish", "brought out", "printed")),
    "award": what(
        "the award of {p}",
        ("Which award did {d} get?", "What prize did {d} win?", "Which prize or award did {d} receive?", "What award was {d} given?"),
        ("{p} won the {v}.", "The {v} went to {p}."), (), "award", "prize", "won", "receiv", "oscar", "medal"),
    "birth_name": what(
        "the birth name of {p}",
        ("What was {d}'s name at birth?", "What name was {d} born with?", "What was the real name of {d}?", "What was {d}'s birth name?"),
        ("{p} was born as {v}.", "The real name of {p} was {v}."), (), "born", "name"),
    "birth_year": when("was born", "was {d} born", "born"),
    "death_year": when("died", "did {d} die", "died", "death"),
    "year": when("<came>", "did {d} <come>", "publish", "release", "first", " in ", "of "),
    "founded_year": when("was founded", "was {d} founded", "found", "establish", "set up", "began"),
    "opened_year": when("was opened", "was {d} opened", "open"),
    "completed_year": when("was completed", "was {d} completed", "complet", "finish"),
    "discovery_year": when("was discovered", "was {d} discovered", "discover", "found"),
    "launch_year": when("was launched", "was {d} launched", "launch"),
    "first_climbed_year": when("was first climbed", "was {d} first climbed", "climb", "ascent", "summit"),
    "destroyed_year": when("was destroyed", "was {d} destroyed", "destroy", "burn", "collapse", "lost"),
    "length_km": size("length", "long", "km", "long", "length", "km"),
    "height_m": size("height", "high", "m", "high", "height", "tall", " m", "metres"),
    "depth_m": size("depth", "deep", "m", "deep", "depth", "metres"),
    "span_m": size("span", "wide", "metres", "span", "metres"),
    "area_km2": Relation(
        "number", "the area of {p}",
        ("How large is {d}?", "What is the area of {d}?", "How many square kilometres is {d}?", "What area does {d} cover?"),
        ("{p} covers {v} square kilometres.", "The area of {p} is {v} square kilometres."), (), ("square", "area", "km")),
    "atomic_number": Relation(
        "number", "the atomic number of {p}",
        ("What is the atomic number of {d}?", "Which atomic number does {d} have?", "What atomic number does {d} have?", "What number does {d} have among the elements?"),
        ("The atomic number of {p} is {v}.",), (), ("atomic",)),
}  # fmt: skip

# What people say in one breath: of these chains nobody asks "in which country is the birthplace of"
IN_ONE_BREATH: dict[str, tuple[str, ...]] = {
    "born_in>country": (
        "In which country was {d} born?", "What country was {d} born in?", "Which country was {d} born in?", "What country is the birthplace of {d} in?",
        "In what country is the place where {d} was born?", "Which country does the birthplace of {d} belong to?", "What country did {d} come from?",
        "Which country is {d}'s birthplace in?"),
    "died_in>country": (
        "In which country did {d} die?", "What country did {d} die in?", "Which country did {d} die in?", "In what country is the place where {d} died?",
        "What country is the place where {d} died in?", "In what country did {d} die?", "What is the name of the country where {d} died?", "In which country was the death of {d}?"),
    "buried_in>country": (
        "In which country is {d} buried?", "What country is {d} buried in?", "Which country has the grave of {d}?", "In what country is the grave of {d}?",
        "What country is the grave of {d} in?", "Which country is {d} buried in?", "In what country does {d} lie buried?", "Which country does {d} lie buried in?"),
    "born_in>on_river": (
        "On which river was {d} born?", "Which river flows through the birthplace of {d}?", "Which river is the birthplace of {d} on?", "What river is the town where {d} was born on?",
        "What river runs through the place where {d} was born?", "Which river is in the place where {d} was born?", "{d} was born by which river?", "What river flows past the birthplace of {d}?"),
    "kept_in>country": (
        "In which country is {d} kept?", "What country do you have to go to, to see {d}?", "Which country is {d} in today?", "In what country can you see {d}?",
        "What country is {d} kept in?", "Which country has {d}?", "In which country can you see {d}?", "What country is the museum with {d} in?"),
    "set_in>country": (
        "In which country is {d} set?", "What country is {d} set in?", "Which country is {d} set in?", "In what country does {d} take place?",
        "In which country does the story of {d} take place?", "What country does {d} take place in?", "Which country does {d} play in?", "In what country is {d} set?"),
    "premiered_in>country": (
        "In which country was {d} first performed?", "What country was {d} first performed in?", "Which country saw the premiere of {d}?", "In what country was the premiere of {d}?",
        "In which country did {d} premiere?", "What country did {d} premiere in?", "Which country was the premiere of {d} in?", "In what country was {d} first performed?"),
}  # fmt: skip
