"""Who fills the shop, and who shops in it without a model.

To read it: what is sold and asked for (vocabulary and goods/*.toml, then wares, titles, prose,
goals); the oracle (wishes, belief, shopper, thoughts, phrases, oracle, gold); and beside both
programs (shoppers to measure against) and failures (why a purchase did not earn everything).
"""
