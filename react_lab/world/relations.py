"""Every relation of the encyclopedia's facts, in words written by hand."""

from __future__ import annotations

from .wording import Relation, measure, person, place, thing, years

__all__ = ["RELATIONS"]

PEOPLE: dict[str, Relation] = {
    "director": person("director", "directed", "{v} directed {p}", "directed", "director"),
    "author": person("author", "wrote", "{v} wrote {p}", "author", "wrote", "written", "novel"),
    "composer": person("composer", "composed", "{v} composed {p}", "composed", "composer", "music", "score"),
    "painter": person("painter", "painted", "{v} painted {p}", "painted", "painter"),
    "sculptor": person("sculptor", "made", "{v} made {p}", "sculptor", "statue"),
    "architect": person("architect", "designed", "The architect {v} designed {p}", "architect", "designed", "design"),
    "designer": person("designer", "designed", "{v} designed {p}", "designed", "design"),
    "engineer": person("engineer", "engineered", "{v} was the engineer of {p}", "engineer"),
    "builder": person("builder", "built", "{v} built {p}", "built", "builder"),
    "inventor": person("inventor", "invented", "{v} invented {p}", "invented", "inventor"),
    "founder": person("founder", "founded", "{v} founded {p}", "founded", "founder"),
    "discoverer": person("discoverer", "discovered", "{v} discovered {p}", "discovered", "discovery"),
    "discovered_by": person("discoverer", "discovered", "{v} discovered {p}", "discovered", "discovery"),
    "producer": person("producer", "produced", "{v} produced {p}", "produced", "producer"),
    "screenwriter": person("screenwriter", "wrote the script of", "{v} wrote the script of {p}", "script", "screenplay"),
    "librettist": person("librettist", "wrote the libretto of", "{v} wrote the libretto of {p}", "libretto", "librettist"),
    "performer": person("performer", "recorded", "{v} recorded {p}", "recorded", "album", "song"),
    "translator": person("translator", "translated", "{v} translated {p}", "translated", "translation"),
    "teacher": person("teacher", "taught", "{v} taught {p}", "teacher", "taught", "pupil", "studied"),
    "commander": person("commander", "commanded", "{v} was the commander of {p}", "commander", "commanded", "led", "under"),
    "first_climbed_by": person("first climber", "first climbed", "{v} first climbed {p}", "climbed", "ascent", "summit"),
    "first_described_by": person("first describer", "first described", "{v} first described {p}", "described", "description"),
    "explored_by": person("explorer", "explored", "{v} explored {p}", "explored", "expedition"),
    "victor": person("victor", "won", "{v} won {p}", "victory", "won", "defeat"),
    "named_after": Relation(
        "what", "what {p} is named after",
        ("{p} is named after {v}.", "{p} takes its name from {v}.", "{v} gave {p} its name."),
        ("After whom or what is {d} named?", "From whom or what does {d} take its name?", "Who or what gave {d} its name?"),
        ("the namesake of {p}", "the one after which {p} is named", "that from which {p} takes its name"),
        ("name", "honour", "called"),
    ),
    "spouse": Relation(
        "who", "whom {p} married",
        ("{p} married {v}.", "{p} was married to {v}.", "{v} and {p} were married."),
        ("To whom was {d} married?", "Whom did {d} marry?", "What is the name of the person {d} married?"),
        ("the person {p} married", "the spouse of {p}", "the one to whom {p} was married"),
        ("married", "wife", "husband"),
    ),
    "father": person("father", "was the father of", "{v} was the father of {p}", "father", "son", "daughter"),
    "student": Relation(
        "who", "a pupil of {p}",
        ("{v} was a pupil of {p}.", "{p} taught {v}."),
        ("Who was a pupil of {d}?", "Which pupil of {d} is named?", "Whom did {d} teach?"),
        ("the pupil of {p}", "the person taught by {p}"),
        ("pupil", "student", "taught"),
    ),
}  # fmt: skip

PLACES: dict[str, Relation] = {
    "born_in": place(
        "the birthplace of {p}", ("{p} was born in {v}.", "The birthplace of {p} is {v}.", "{v} is where {p} was born."),
        ("Where was {d} born?", "In which place was {d} born?", "What is the birthplace of {d}?", "Which place did {d} come from?"),
        ("the birthplace of {p}", "the place where {p} was born", "the place of {p}'s birth"), "born", "birth"),
    "died_in": place(
        "the place where {p} died", ("{p} died in {v}.", "The life of {p} ended in {v}.", "{v} is where {p} died."),
        ("Where did {d} die?", "In which place did {d} die?", "At what place did the life of {d} end?"),
        ("the place where {p} died", "the place of {p}'s death"), "died", "death"),
    "buried_in": place(
        "the burial place of {p}", ("{p} is buried in {v}.", "The grave of {p} is in {v}."),
        ("Where is {d} buried?", "In which place is {d} buried?", "Where is the grave of {d}?"),
        ("the burial place of {p}", "the place where {p} is buried"), "buried", "grave", "tomb"),
    "lived_in": place(
        "where {p} lived", ("{p} lived in {v}.", "{v} was a home of {p}."),
        ("Where did {d} live?", "In which place did {d} live?", "Which place was a home of {d}?"),
        ("the place where {p} lived", "the home of {p}"), "lived", "home", "settled", "moved"),
    "educated_at": place(
        "where {p} studied", ("{p} studied at {v}.", "{p} was educated at {v}.", "{v} is where {p} studied."),
        ("Where did {d} study?", "At which place was {d} educated?", "Which school or university did {d} attend?"),
        ("the school where {p} studied", "the place where {p} was educated"), "studied", "school", "university", "educated"),
    "taught_at": place(
        "where {p} taught", ("{p} taught at {v}.", "{v} is where {p} taught."),
        ("Where did {d} teach?", "At which place did {d} teach?", "Which institution had {d} as a teacher?"),
        ("the place where {p} taught", "the institution that had {p} as a teacher"), "taught", "professor", "teach"),
    "worked_at": place(
        "where {p} worked", ("{p} worked at {v}.", "{v} is where {p} worked."),
        ("Where did {d} work?", "At which place did {d} work?", "What was a workplace of {d}?"),
        ("the workplace of {p}", "the place where {p} worked"), "work"),
    "country": place(
        "the country of {p}", ("{p} is in {v}.", "The country of {p} is {v}.", "{p} belongs to {v}."),
        ("In which country is {d}?", "To which country does {d} belong?", "Which country is home to {d}?"),
        ("the country of {p}", "the country to which {p} belongs")),
    "located_in": place(
        "where {p} is", ("{p} is in {v}.", "{p} stands or lies in {v}.", "{v} is where {p} is found."),
        ("Where is {d} located?", "In which place is {d}?", "Which place is home to {d}?"),
        ("the place where {p} is located", "the place that is home to {p}")),
    "capital": place(
        "the capital of {p}", ("The capital of {p} is {v}.", "{v} is the capital of {p}."),
        ("What is the capital of {d}?", "Which place is the capital of {d}?", "From which capital is {d} governed?"),
        ("the capital of {p}", "the place that is the capital of {p}"), "capital"),
    "headquarters": place(
        "the headquarters of {p}", ("{p} has its headquarters in {v}.", "The headquarters of {p} are in {v}."),
        ("Where are the headquarters of {d}?", "In which place does {d} have its headquarters?", "From which place is {d} run?"),
        ("the place where {p} has its headquarters", "the place from which {p} is run"), "headquarters", "seat", "based"),
    "kept_in": place(
        "where {p} is kept", ("{p} is kept in {v}.", "{v} keeps {p}."),
        ("Where is {d} kept?", "In which place is {d} kept?", "Where can one see {d}?"),
        ("the place where {p} is kept", "the home of {p}"), "museum", "gallery", "kept", "hangs"),
    "set_in": place(
        "where {p} is set", ("{p} is set in {v}.", "The story of {p} takes place in {v}."),
        ("Where is {d} set?", "In which place does the story of {d} take place?", "Which place is the setting of {d}?"),
        ("the setting of {p}", "the place where {p} is set"), "set", "story", "takes place"),
    "premiered_in": place(
        "where {p} was first performed", ("{p} was first performed in {v}.", "The premiere of {p} was in {v}."),
        ("Where was {d} first performed?", "In which place was the premiere of {d}?", "Which place saw {d} first?"),
        ("the place where {p} was first performed", "the scene of the premiere of {p}"), "premiere", "first performed", "first"),
    "place": place(
        "where {p} took place", ("{p} took place at {v}.", "{v} was the scene of {p}."),
        ("Where did {d} take place?", "What was the scene of {d}?", "At which place did {d} happen?"),
        ("the scene of {p}", "the place where {p} took place"), "fought", "place", "near"),
    "launch_site": place(
        "the launch site of {p}", ("{p} was launched from {v}.", "The launch site of {p} was {v}."),
        ("From where was {d} launched?", "What was the launch site of {d}?"), ("the launch site of {p}", "the place from which {p} was launched"), "launch"),
    "lives_in": place(
        "where the {p} lives", ("The {p} lives in {v}.", "{v} is home to the {p}."),
        ("Where does {d} live?", "Which place is home to {d}?", "In what place is {d} found?"), ("the home of the {p}", "the place where the {p} lives"), "live", "found"),
    "endemic_to": place(
        "where the {p} is endemic", ("The {p} is endemic to {v}.", "The {p} is found only on or in {v}."),
        ("To which place is {d} endemic?", "Which is the only place where {d} is found?", "Where alone is {d} found?"),
        ("the only home of the {p}", "the place to which the {p} is endemic"), "endemic", "only", "nowhere"),
}  # fmt: skip

THINGS: dict[str, Relation] = {
    "on_river": thing(
        "the river at {p}", ("{p} lies on the {v}.", "The river at {p} is the {v}.", "The {v} flows through {p}."),
        ("On which river does {d} lie?", "Which river flows through {d}?", "What is the river of {d}?", "Beside which river is {d}?"),
        ("the river on which {p} lies", "the river that flows through {p}"), "river", "bank", "flow"),
    "on_lake": thing(
        "the lake at {p}", ("{p} lies on {v}.", "The lake at {p} is {v}."),
        ("On which lake does {d} lie?", "Which lake is {d} beside?", "What is the lake at {d}?"), ("the lake on which {p} lies", "the lake beside {p}"), "lake", "shore"),
    "on_island": thing(
        "the island of {p}", ("{p} is on {v}.", "The island of {p} is {v}."),
        ("On which island is {d}?", "Which island is home to {d}?", "What is the name of the island of {d}?"),
        ("the island on which {p} lies", "the island of {p}"), "island"),
    "crosses": thing(
        "what {p} crosses", ("{p} crosses the {v}.", "{p} spans the {v}."),
        ("What does {d} cross?", "Which water does {d} span?", "Over what does {d} lead?"), ("the water that {p} crosses", "the water under {p}"), "cross", "over", "span"),
    "flows_into": thing(
        "what {p} flows into", ("{p} flows into the {v}.", "The waters of {p} end in the {v}."),
        ("What does {d} flow into?", "Into which water does {d} flow?", "Where do the waters of {d} end?"), ("the water into which {p} flows", "the water that receives {p}"), "flows", "joins", "empties", "reaches"),
    "source_in": thing(
        "the source of {p}", ("{p} rises in {v}.", "The source of {p} is in {v}."),
        ("Where does {d} rise?", "Where is the source of {d}?", "In which place does {d} begin?"), ("the place where {p} rises", "the source of {p}"), "rises", "source", "spring"),
    "mountain_range": thing(
        "the range of {p}", ("{p} belongs to the {v}.", "The range of {p} is the {v}."),
        ("To which mountains does {d} belong?", "In which range is {d}?", "Which range contains {d}?"), ("the mountains to which {p} belongs", "the range of {p}"), "range", "mountain"),
    "highest_point": thing(
        "the highest point of {p}", ("The highest point of {p} is {v}.", "{v} is the highest point of {p}."),
        ("What is the highest point of {d}?", "Which is the highest place in {d}?", "Which summit of {d} is the highest?"), ("the highest point of {p}", "the highest place in {p}"), "highest"),
    "based_on": thing(
        "what {p} is based on", ("{p} is based on {v}.", "{v} was the source of {p}."),
        ("What is {d} based on?", "On which work is {d} based?", "Which work was the source of {d}?"), ("the work on which {p} is based", "the source of {p}"), "based", "adapted", "from"),
    "wrote": thing(
        "a work by {p}", ("{p} wrote {v}.", "{v} was written by {p}."),
        ("What did {d} write?", "Which work was written by {d}?"), ("the work written by {p}", "the work that {p} wrote"), "wrote", "written", "novel", "book"),
    "discovered": thing(
        "what {p} discovered", ("{p} discovered {v}.", "{v} was discovered by {p}."),
        ("What did {d} discover?", "What was discovered by {d}?", "Which discovery was made by {d}?"), ("what was discovered by {p}", "the discovery of {p}"), "discovered", "discovery"),
    "invented": thing(
        "what {p} invented", ("{p} invented the {v}.", "The {v} was invented by {p}."),
        ("What did {d} invent?", "What was invented by {d}?", "Which invention was made by {d}?"), ("what was invented by {p}", "the invention of {p}"), "invented", "inventor"),
    "birth_name": thing(
        "the birth name of {p}", ("The birth name of {p} was {v}.", "{p} was born as {v}."),
        ("What was the birth name of {d}?", "Under which name was {d} born?", "By what name was {d} known at birth?"), (), "born", "name"),
    "nationality": thing(
        "the nationality of {p}", ("The nationality of {p} was {v}.",),
        ("What was the nationality of {d}?", "Of which nationality was {d}?", "Which nationality did {d} have?"), ()),
    "occupation": thing(
        "the profession of {p}", ("By profession {p} was a {v}.",),
        ("What was the profession of {d}?", "By profession, what was {d}?", "What was {d} by trade?"), ()),
    "instrument": thing(
        "the instrument of {p}", ("{p} played the {v}.", "The instrument of {p} was the {v}."),
        ("Which instrument did {d} play?", "What did {d} play?", "What was the instrument of {d}?"), (), "play"),
    "language": thing(
        "the language of {p}", ("The language of {p} is {v}.",),
        ("What is the language of {d}?", "Which language belongs to {d}?", "Which is the language of {d}?"), (), "language", "spoken", "written"),
    "material": thing(
        "what {p} is made of", ("{p} is made of {v}.",),
        ("What is {d} made of?", "Of which material is {d}?", "Which material was used for {d}?"), (), "made", "built"),
    "symbol": thing(
        "the symbol of {p}", ("The symbol of {p} is {v}.",),
        ("What is the symbol of {d}?", "Which chemical symbol does {d} have?", "By what symbol is {d} written?"), (), "symbol"),
    "vehicle": thing(
        "the rocket of {p}", ("{p} was launched by {v}.", "{v} carried {p}."),
        ("Which rocket launched {d}?", "What carried {d} into space?", "By which vehicle was {d} launched?"), ("the rocket that launched {p}", "the vehicle that carried {p}"), "rocket", "launch"),
    "destination": thing(
        "the destination of {p}", ("{p} was sent to {v}.", "The destination of {p} was {v}."),
        ("What was the destination of {d}?", "Where was {d} sent?"), ("the destination of {p}", "the goal of {p}")),
    "war": thing(
        "the war of {p}", ("{p} was part of the {v}.", "{p} belongs to the {v}."),
        ("Of which war was {d} a part?", "To which war does {d} belong?", "During which war did {d} happen?"), ("the war of which {p} was a part", "the war to which {p} belongs"), "war"),
    "member_of": thing(
        "the group of {p}", ("{p} was a member of {v}.", "{p} belonged to {v}."),
        ("Of what was {d} a member?", "To which group did {d} belong?", "What did {d} belong to?"), ("the group to which {p} belonged", "the group that had {p} as a member"), "member", "join", "band", "group"),
    "album": thing(
        "the album of {p}", ("{p} is on the album {v}.",),
        ("On which album is {d}?", "Which album contains {d}?"), ("the album that contains {p}", "the album with {p} on it"), "album"),
    "label": thing(
        "the label of {p}", ("{p} came out on {v}.",),
        ("On which label did {d} come out?", "Which label issued {d}?", "By which label was {d} published?"), ("the label of {p}", "the label that issued {p}"), "label"),
    "former_name": thing(
        "the former name of {p}", ("{p} was once called {v}.", "The former name of {p} is {v}."),
        ("What was {d} once called?", "What is the former name of {d}?", "By which name did {d} go before?"), (), "called", "name", "known"),
    "nickname": thing(
        "the nickname of {p}", ("The nickname of {p} is {v}.",),
        ("What is the nickname of {d}?", "By which nickname is {d} known?", "What do people call {d}?"), (), "nickname", "called", "known"),
}  # fmt: skip

NUMBERS: dict[str, Relation] = {
    "birth_year": years("birth", "was born", "was {d} born", "born"),
    "death_year": years("death", "died", "did {d} die", "died", "death"),
    "year": years("appearance", "appeared or took place", "did {d} appear or take place", "published", "released", "first"),
    "founded_year": years("founding", "was founded", "was {d} founded", "founded", "established", "foundation"),
    "opened_year": years("opening", "was opened", "was {d} opened", "opened", "opening"),
    "completed_year": years("completion", "was completed", "was {d} completed", "completed", "finished"),
    "discovery_year": years("discovery", "was discovered", "was {d} discovered", "discovered", "discovery"),
    "launch_year": years("launch", "was launched", "was {d} launched", "launch"),
    "first_climbed_year": years("first ascent", "was first climbed", "was {d} first climbed", "climbed", "ascent", "summit"),
    "patented_year": years("patent", "was patented", "was {d} patented", "patent"),
    "destroyed_year": years("destruction", "was destroyed", "was {d} destroyed", "destroyed", "burned", "collapsed"),
    "length_km": measure("length", "kilometres", "km", "long", "length", "kilometres"),
    "height_m": measure("height", "metres", "high", "height", "tall", "metres"),
    "depth_m": measure("depth", "metres", "deep", "depth", "metres"),
    "span_m": measure("span", "metres", "span", "metres"),
    "area_km2": measure("area", "square kilometres", "square", "area"),
    "atomic_number": Relation(
        "number", "the atomic number of {p}", ("The atomic number of {p} is {v}.", "{p} has atomic number {v}."),
        ("What is the atomic number of {d}?", "Which atomic number does {d} have?", "What number does {d} bear among the elements?"),
        (), ("atomic",),
    ),
}  # fmt: skip

RELATIONS: dict[str, Relation] = {**PEOPLE, **PLACES, **THINGS, **NUMBERS}
