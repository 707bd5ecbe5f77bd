"""In which words the train questions for tools are put: many ways for few things.

The first try had three or four wordings for a type, and its adapter knew no other.
"""

from __future__ import annotations

__all__ = [
    "CLOCK", "DIVIDED", "EITHER", "FIELDS", "HEAT", "INTO", "LESS", "LESS_OF", "MORE", "MORE_OF",
    "NEAR", "NOWHERE", "ROOT", "SKY", "SKY_YES", "STORY", "SUMS", "TOTAL", "UNITS", "VALUE", "YES",
]  # fmt: skip

NOWHERE = (
    "Gotham", "Camelot", "Rivendell", "Narnia", "Lilliput", "Brigadoon", "Utopia", "Emerald City",
    "Hogsmeade", "Avalon", "Wonderland", "Metropolis", "Xanadu", "Ruritania", "Springwood", "Asgard",
)  # fmt: skip
NEAR = (  # said before some questions
    "I pack my suitcase for {a}.", "My brother lives in {a}.", "We play a match in {a}.",
    "Our class writes to a class in {a}.", "A ship lies at anchor in {a}.", "I plan a picnic in {a}.",
    "Grandma calls from {a}.", "There is a street party in {a}.", "I study in {a}.",
    "Mia works in {a}.", "Please help me.", "Hello!", "One thing about {a}:", "I wonder.",
)  # fmt: skip
SKY = (
    "What is the weather like in {a}?", "Which weather does {a} have today?",
    "How does the sky look over {a}?", "Describe the sky of {a} in one word.",
    "Tell me what the weather is in {a}.", "In {a}, what is the weather right now?",
    "What would I see in the sky in {a}?", "What kind of day is it in {a}?",
    "Say in one word how the day is in {a}.", "I want to know the weather of {a}.",
    "What does the weather report say about the sky in {a}?", "What sort of weather is over {a}?",
)  # fmt: skip
SKY_YES = (
    "Is it {s} in {a} today? Answer yes or no.", "Is {a} {s} today? Yes or no?",
    "Tell me yes or no: is the weather in {a} {s}?", "Yes or no, is it {s} in {a} now?",
    "Do people in {a} have a {s} day? Answer with yes or no.", "Can I call {a} {s} now, yes or no?",
)  # fmt: skip
EITHER = (
    "Is it {s} or {t} in {a} today?", "Does {a} have {s} or {t} weather?",
    "Which is right for {a} today, {s} or {t}?", "Choose the word for {a}: {s} or {t}?",
    "Is the sky over {a} {s} or {t}?",
)  # fmt: skip
VALUE = {
    "temperature": (
        "How warm is it in {a}?", "What is the temperature in {a} today?",
        "How many degrees Celsius does {a} have?", "Tell me today's temperature in {a}.",
        "How cold is it in {a}, in degrees?", "What does the temperature stand at in {a}?",
        "How hot does it get in {a} today?", "In {a}, how many degrees are there?",
        "I want the temperature for {a} in Celsius.", "Name the number of degrees in {a}.",
        "What temperature do people feel in {a}?", "How many degrees are measured in {a}?",
    ),
    "wind": (
        "How strong is the wind in {a}, in km/h?", "What is the wind speed in {a} today in km/h?",
        "How many km/h does the wind blow in {a}?", "How fast is the wind in {a}?",
        "Tell me the wind of {a} in km/h.", "At what speed does the wind blow in {a}?",
        "How windy is it in {a}, as a number of km/h?", "I want to sail in {a}. How much wind is there?",
        "What wind, in kilometres per hour, does {a} have?", "Name the speed of the wind over {a}.",
    ),
    "rain": (
        "How much rain falls in {a}, in mm?", "How many mm of rain does {a} have today?",
        "What is the amount of rain in {a} in mm?", "Tell me how much it rains in {a}.",
        "How wet does {a} get, in mm of rain?", "How many mm of water come down in {a}?",
        "In {a}, how much rain is there today?", "I want the rain of {a} as a number of mm.",
        "How high is the rain in {a} in millimetres?", "Name the mm of rain for {a}.",
    ),
}  # fmt: skip
FIELDS = {  # the word for it, what is said of one city, and what is said of two
    "temperature": ("temperature", "{a} has {x} degrees.", "{a} has {x} degrees and {b} has {y}."),
    "wind": ("wind", "{a} has {x} km/h of wind.", "{a} has {x} km/h of wind and {b} has {y}."),
    "rain": ("rain", "{a} has {x} mm of rain.", "{a} has {x} mm of rain and {b} has {y}."),
}
MORE_OF = {  # by how much a has more than b
    "temperature": (
        "How many degrees warmer is it in {a} than in {b}?",
        "By how many degrees is {a} warmer than {b} today?",
        "What is the difference in temperature between {a} and {b}?",
        "{a} is warmer than {b}. By how much?", "How much warmer than {b} is {a}?",
        "I fly from {b} to {a}. How many degrees warmer will it be?",
        "{a} is hot and {b} is not. What is the difference in degrees?",
        "Compare {a} with {b}: how many degrees more does {a} have?",
        "How far apart are the temperatures of {a} and {b}?",
        "What do I get if I take the degrees of {b} from those of {a}?",
    ),
    "wind": (
        "How many km/h more wind does {a} have than {b}?",
        "By how many km/h is the wind in {a} stronger than in {b}?",
        "What is the difference in wind between {a} and {b}?",
        "The wind is stronger in {a} than in {b}. By how much?",
    ),
    "rain": (
        "How many mm more rain does {a} have than {b}?", "What is the difference in rain between {a} and {b}?",
        "{a} gets more rain than {b}. How many mm more?", "By how many mm is {a} wetter than {b}?",
    ),
}  # fmt: skip
LESS_OF = {  # by how much b has less than a
    "temperature": (
        "How many degrees colder is it in {b} than in {a}?", "By how much is {b} colder than {a}?",
        "I go from {a} to {b}. How many degrees do I lose?", "How many degrees is {b} below {a}?",
    ),
    "wind": ("How many km/h less wind does {b} have than {a}?",),
    "rain": ("How many mm less rain does {b} have than {a}?",),
}  # fmt: skip
TOTAL = (
    "How many mm of rain fall in {a} together?", "What is the rain of {a} in all, in mm?",
    "Add up today's rain in {a}, in mm.", "It rains in {a}. How many mm are these together?",
    "Put the rain of {a} together. How many mm is it?", "What is the total rain of {a}?",
    "How much rain do {a} get between them?", "Add the mm of rain of {a}.",
)  # fmt: skip
MORE = {
    "temperature": (
        "Which city is warmer today, {a} or {b}?", "Where is it warmer, in {a} or in {b}?",
        "Is {a} or {b} the warmer city today?", "{a} or {b}: which one is hotter?",
        "Which has the higher temperature, {a} or {b}?", "I like it warm. Do I go to {a} or to {b}?",
        "Of {a} and {b}, name the city with more degrees.",
    ),
    "wind": (
        "Which city has more wind, {a} or {b}?", "Where is the wind stronger, in {a} or in {b}?",
        "{a} or {b}: where does it blow harder?", "Is {a} or {b} the windier city?",
    ),
    "rain": (
        "Which city has more rain, {a} or {b}?", "Where does it rain more, in {a} or in {b}?",
        "{a} or {b}: which one is wetter?", "Do I need an umbrella more in {a} or in {b}?",
    ),
}  # fmt: skip
LESS = {
    "temperature": (
        "Which city is colder today, {a} or {b}?", "Where is it colder, in {a} or in {b}?",
        "{a} or {b}: where would I freeze more?", "Of {a} and {b}, which has fewer degrees?",
        "I want to go skiing. Which is the cooler place, {a} or {b}?",
    ),
    "wind": ("Which city has less wind, {a} or {b}?", "Where is it calmer, in {a} or in {b}?"),
    "rain": ("Which city has less rain, {a} or {b}?", "Where is it drier, in {a} or in {b}?"),
}  # fmt: skip
YES = {
    "temperature": (
        "Is {a} warmer than {b}? Answer yes or no.", "Yes or no: is it hotter in {a} than in {b}?",
        "Is the temperature in {a} above that in {b}? Yes or no?",
    ),
    "wind": (
        "Is {a} windier than {b}? Answer yes or no.", "Yes or no: does {a} get more wind than {b}?",
        "Is the wind in {a} faster than in {b}, yes or no?",
    ),
    "rain": (
        "Is {a} wetter than {b}? Answer yes or no.", "Yes or no: does it rain more in {a} than in {b}?",
    ),
}  # fmt: skip
HEAT = (
    "How warm is it in {a} in degrees Fahrenheit?", "What is the temperature of {a} in Fahrenheit?",
    "Tell me in Fahrenheit how warm {a} is today.", "How many degrees Fahrenheit does {a} have?",
    "I think in Fahrenheit. How hot is {a}?", "Give {a}'s temperature in Fahrenheit, not in Celsius.",
    "What would a Fahrenheit scale show in {a}?", "My friend in Boston asks how warm {a} is in Fahrenheit.",
)  # fmt: skip
SUMS = {
    "*": (
        "What is {x} * {y}?", "What is {x} times {y}?", "How much is {x} multiplied by {y}?",
        "Work out {x} times {y}.", "What is the product of {x} and {y}?", "I need {x} x {y}.",
        "Tell me what {x} times {y} gives.", "{x} times {y} is how much?",
    ),
    "+": (
        "What is {x} + {y}?", "What is {x} plus {y}?", "Add {x} and {y}.", "How much is {x} and {y} in all?",
        "What is the sum of {x} and {y}?", "Tell me the total of {x} and {y}.",
        "Put {y} on top of {x}. What do you get?", "{x} plus {y} makes how much?",
    ),
    "-": (
        "What is {x} - {y}?", "What is {x} minus {y}?", "Subtract {y} from {x}.", "How much is {x} less {y}?",
        "What is left of {x} without {y}?", "What remains when {y} goes from {x}?",
        "What is the difference between {x} and {y}?", "{x} minus {y} leaves how much?",
    ),
    "/": (
        "What is {x} / {y}?", "What is {x} divided by {y}?", "Divide {x} by {y}.",
        "How often does {y} go into {x}?", "Share {x} among {y}. How much is one share?",
    ),
}  # fmt: skip
ROOT = (
    "What is the square root of {x}?", "Work out the square root of {x}.", "sqrt of {x}?",
    "Which number times itself gives {x}?", "Tell me the root of {x}.",
)  # fmt: skip
STORY = (
    ("A shop sells {x} boxes with {y} pens each. How many pens are these?", "{x} * {y}"),
    ("{x} classes collect {y} euros each. How many euros do they have?", "{x} * {y}"),
    ("Each of {x} rows in a hall has {y} chairs. How many chairs are in the hall?", "{x} * {y}"),
    ("A farmer packs {y} eggs in each of {x} crates. How many eggs does he pack?", "{x} * {y}"),
    ("Tom reads {x} pages a day for {y} days. How many pages does he read?", "{x} * {y}"),
    ("One ticket costs {x} euros. What do {y} tickets cost?", "{x} * {y}"),
    ("A printer makes {x} sheets a minute. How many sheets does it make in {y} minutes?", "{x} * {y}"),
    ("{x} friends run {y} rounds each. How many rounds do they run in all?", "{x} * {y}"),
    ("There are {y} trees in every one of {x} gardens. Count all the trees.", "{x} * {y}"),
    ("A school has {x} girls and {y} boys. How many children are there?", "{x} + {y}"),
    ("Lea walks {x} steps on one day and {y} on the next. How many steps is this?", "{x} + {y}"),
    ("A bus drives {x} km and then {y} km more. How far does it drive?", "{x} + {y}"),
    ("I had {x} stamps and bought {y} more. How many stamps do I own now?", "{x} + {y}"),
    ("{x} visitors came on Saturday and {y} on Sunday. How many came that weekend?", "{x} + {y}"),
    ("A train has {x} seats, and {y} of them are taken. How many seats are free?", "{x} - {y}"),
    ("A tank holds {x} litres. {y} litres flow out. How many litres stay?", "{x} - {y}"),
    ("A bakery bakes {x} loaves and sells {y}. How many loaves does it keep?", "{x} - {y}"),
    ("Nina has {x} euros and spends {y}. How much money does she still have?", "{x} - {y}"),
    ("The hill is {x} m high, and we have climbed {y} m. How many metres to go?", "{x} - {y}"),
    ("Of {x} pupils, {y} are ill. How many are at school?", "{x} - {y}"),
)  # fmt: skip
DIVIDED = (
    "{x} sweets are shared by {y} children. How many does each child get?",
    "A rope of {x} cm is cut into {y} equal parts. How long is one part in cm?",
    "{x} players form teams of {y}. How many teams are there?",
    "A road of {x} km is built at {y} km a week. How many weeks does it take?",
    "{x} apples go into bags of {y}. How many bags are filled?",
    "A prize of {x} euros is split between {y} winners. What does each one get?",
)  # fmt: skip
UNITS = (  # the unit as a tool takes it, and as people write it
    (("km", "km"), ("m", "metres")), (("m", "metres"), ("cm", "centimetres")), (("cm", "cm"), ("mm", "mm")),
    (("kg", "kg"), ("g", "grams")), (("kg", "kilograms"), ("g", "g")), (("hour", "hours"), ("minute", "minutes")),
    (("day", "days"), ("hour", "hours")), (("minute", "minutes"), ("s", "seconds")), (("week", "weeks"), ("day", "days")),
    (("l", "litres"), ("ml", "millilitres")), (("m", "m"), ("mm", "millimetres")), (("hour", "hours"), ("s", "seconds")),
)  # fmt: skip
INTO = (
    "How many {v} are {x} {u}?", "Convert {x} {u} into {v}.", "What are {x} {u} in {v}?",
    "{x} {u} are how many {v}?", "Turn {x} {u} into {v}.", "I have {x} {u}. How much is that in {v}?",
    "Say {x} {u} in {v}.", "It takes {x} {u}. How many {v} is this?", "Write {x} {u} as {v}.",
    "My plan says {x} {u}. I need it in {v}.", "How many {v} make {x} {u}?",
    "{x} {u}: what is it in {v}?",
)  # fmt: skip
CLOCK = (
    ("Which day of the week is it?", "Monday"), ("What day is today?", "Monday"),
    ("Tell me the day of the week.", "Monday"), ("What weekday do we have?", "Monday"),
    ("Is it Sunday or Monday today?", "Monday"), ("Do we have Monday or Tuesday?", "Monday"),
    ("Which day is it now, Monday or Thursday?", "Monday"), ("Name today's weekday.", "Monday"),
    ("What time is it?", "09:30"), ("How late is it now?", "09:30"), ("Tell me the time.", "09:30"),
    ("What does the clock say?", "09:30"), ("I need the time now.", "09:30"),
    ("Can you tell me how late it is?", "09:30"), ("At what time are we now?", "09:30"),
    ("Which month is it?", "March"), ("In which year are we?", "2026"),
    ("What is the month now?", "March"), ("Which year do we have?", "2026"),
)  # fmt: skip
