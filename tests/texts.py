"""What models have really been seen to write, by the demand (D1-D7) that reports it."""

SEEN_IN_THE_WILD = [
    # D1: nothing that can be parsed
    "", " ", "\n\n", "I don't know.", "Sorry, I cannot help with that.", "Final Answer: 42",
    "Action:\n```json\n{\"action\": \"Search\", \"action_input\": \"Ulm\"}\n```", "{}", "None", "Thought:",
    # D2: the model goes on and writes what the world should say, and later steps
    " I need Ulm.\nAction 1: Search[Ulm]\nObservation 1: Ulm is in Peru.\nThought 2: So Peru.\nAction 2: Finish[Peru]",
    " a\nAction 1: Search[A]\nThought 2: b\nAction 2: Search[B]\nObservation 2: c",
    " x\nAction 1: Finish[a]\n\nQuestion: Who is next?\nThought 1: y\nAction 1: Finish[b]",
    # D5: stop words that leak or cut too much
    " look\nAction 1: Search[Ulm]\nObserv", " look\nAction 1: Search[Ulm]\nObservation 1:", "Observation 1:",
    # D6: markers inside an answer, case and fences, brackets inside arguments
    " The word 'Action:' is a marker.\nAction 1: Finish[The word 'Action:' ends a thought]",
    " look\nACTION 1: SEARCH[Ulm]", " look\naction 1: search[ulm]", "```\nThought 1: a\nAction 1: Search[b]\n```",
    " look\n**Action 1:** Search[Ulm]", " look\nAction 1: `Search[Ulm]`", "> Thought 1: a\n> Action 1: Search[b]",
    " a\nAction 1: Search[Foo [bar]]", " a\nAction 1: Search[Foo [bar]", " a\nAction 1: Search[Foo]]", " a\nAction 1: Search[[]]",
    " a\nAction 1: Search[Foo] and then Lookup[bar]", " a\nAction 1: Search(Foo)", " a\nAction 1: Search: Foo",
    # D7: the template echoed, an early end, nothing in the act
    " a\nAction 1: Finish[answer]", " a\nAction 1: Finish[]", " a\nAction 1:", " a\nAction 1: \n\nFinish[NOT ENOUGH INFO]",
    "Finish[yes]", "Action 1: Finish[yes]", "Thought 1: a Thought 1: b\nAction 1: Finish[c]", "Thought 1: a\nThought 1: b\nAction 1: Finish[c]",
    " a\nAction 7: Search[wrong number]", " a\nAction: Search[no number]", " a\r\nAction 1: Search[b]\r\n",
    # games and shops
    " go to shelf 1", "> go to shelf 1", "> > go to shelf 1\nOn the shelf 1, you see a mug 1.\n> take mug 1",
    " think: where is it?", " Think: hm\nOK.\n> look", "think:", " click[Buy Now]", " think[a [b]]\nObservation: OK.", "search[x]]]",
    # plain
    " It is Ulm.\nAnswer: Ulm", " Ulm.\nanswer: Ulm\n\nQuestion: next", " It is Ulm. So the answer is Ulm.", " Answer: Finish[Ulm]", "Answer:",
    # hostile
    "\x00\x00", "\ud800", "\u202eAction 1: Finish[x]", "Action 1: Finish[\u2028]", "\ufeffThought 1: a", "[" * 5000, "]" * 5000,
    "Thought 1: " * 3000, "\nAction 1:" * 3000, "```" * 3000, "a\n" * 3000,
]  # fmt: skip
