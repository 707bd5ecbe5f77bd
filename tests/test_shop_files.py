"""Catalogues in files: our own, WebShop's, and those that are stored once; strangers' ones too."""

import json
import sqlite3
import sys
from contextlib import closing

import pytest
import shop_small
from hypothesis import given
from hypothesis import strategies as st
from shop_small import ITEM, LAMP, SHOPFUL, written

import react_lab as rl
from react_lab.envs.shop import Product, Shop, catalogue, read_products, store
from react_lab.envs.shop.release import listed
from react_lab.types import EnvError


@pytest.fixture
def release(tmp_path):
    return shop_small.released(tmp_path)


def test_webshops_products_are_read_and_its_goals_are_tasks_without_worker_ids(release):
    first, second, third, *rest = read_products(release)
    assert first == Product(
        "B09QQLDJ93", "Brass Lamp", (34.89,), "Home › Lamps", "desk lamp", ("Bright.", "Warm."), "",
        {"color": ("navy | blue", "red")}, ("bright", "warm"),
    )  # fmt: skip
    assert (second.price, second.options, second.attributes) == ((10.5, 12.99), {}, ())
    assert (third.price, third.bullets) == ((), ("One.",)) and len(rest) == 7
    assert [*read_products(release / "items_shuffle_1000.json")] == [first, second, third, *rest]
    tasks = rl.tasks.load("webshop", "test", path=release)
    assert len(tasks) == 9 and {task.kind for task in tasks} == {"shop"}
    assert [task.id for task in tasks] == [f"webshop-{i}" for i in range(9)]
    assert tasks == rl.tasks.load("webshop", "test", path=release)  # the same bound in every run
    (red,) = (task for task in tasks if "red lamp" in task.text)
    bound = f"{red.extra['price_upper']:.2f}"
    assert red.text == f"i want a red lamp, and price lower than {bound} dollars"
    assert red.extra["options"] == ["red"]
    assert "A1B2" not in str([task.extra for task in tasks])
    env = Shop(release)(red)
    assert env.reset(red).count("red lamp") == 1
    for act in ("search[brass lamp]", "click[B09QQLDJ93]", "click[red]", "click[buy now]"):
        seen = env.step(act)
    assert (seen.done, seen.reward) == (True, 1.0)
    assert len(rl.tasks.load("webshop", "test", n=3, path=release)) == 3
    assert not rl.tasks.load("webshop", "train", path=release)


def test_what_is_wrong_with_webshops_files_is_said(release, tmp_path_factory):
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(ValueError, match="give their folder as path="):
        rl.tasks.load("webshop", "test")
    with pytest.raises(ValueError, match="no files of WebShop"):
        rl.tasks.load("webshop", "test", path=empty)
    with pytest.raises(ValueError, match="webshop has no split 'all'; it has: test, dev, train"):
        rl.tasks.load("webshop", "all", path=release)
    wrong = '{"B09QQLDJ93": [{"instruction": 3}]}'
    (release / "items_human_ins.json").write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match="the instructions of B09QQLDJ93: instruction must be str"):
        rl.tasks.load("webshop", "test", path=release)
    (release / "items_human_ins.json").unlink()
    with pytest.raises(ValueError, match="no items_human_ins"):
        rl.tasks.load("webshop", "test", path=release)
    rows = json.dumps([ITEM, {**ITEM, "asin": 7}])
    (release / "items_shuffle_1000.json").write_text(rows, encoding="utf-8")
    with pytest.raises(EnvError, match="product 2: asin must be str, not int"):
        _ = Shop(release).snapshot


WORDS = st.text(max_size=5)
JSON = st.recursive(st.none() | WORDS | st.integers(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3))  # fmt: skip


@given(st.lists(JSON, max_size=6))
def test_a_long_list_is_read_row_by_row(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rows") / "rows.json"
    rows = [{"row": row} for row in rows]
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    assert [*listed(path)] == rows


def test_a_list_that_is_none_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "rows.json"
    for text in ('{"a": 1}', "[{}, {", "[{}] []", "", "[{},"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="no list" if "a" in text else "cut short"):
            [*listed(path)]
    monkeypatch.setattr("react_lab.envs.shop.release.PIECE", 10)
    path.write_text(json.dumps([{"a": "x" * n} for n in range(100)]), encoding="utf-8")
    assert [len(row["a"]) for row in listed(path)] == [*range(100)]
    monkeypatch.setattr("react_lab.envs.shop.release.MOST", 150)
    path.write_text(json.dumps([{"a": "x" * 300}]), encoding="utf-8")
    with pytest.raises(ValueError, match="a product that is too long"):
        [*listed(path)]


@pytest.mark.parametrize("tag, price", [
    ("$1,299.00", (1299.0,)), ("$5.00$3.50$9.00", (3.5, 5.0)), ("$1.2.3", ()), ("$free", ()), ("$.", ()),
    ("$", ()), ("12.99", ()), ("$" + "9" * 400, ()), ("$.5", (0.5,)),
])  # fmt: skip
def test_a_price_is_read_as_it_stands_or_is_missing(tmp_path, tag, price):
    path = tmp_path / "items_shuffle.json"
    path.write_text(json.dumps([{**ITEM, "pricing": tag}]), encoding="utf-8")
    assert [product.price for product in read_products(path)] == [price]


# ---------------------------------------------------------------------- our own files
WRONG = {
    "no JSON": ("{", "it is not whole, clean JSON"),
    "no title": ('{"asin": "B1"}', "it lacks `title`"),
    "a number as title": ('{"asin": "B1", "title": 3}', "title must be str, not int"),
    "a small asin": ('{"asin": "b1", "title": "x"}', "its asin must be"),
    "an asin like a button": ('{"asin": "SEARCH", "title": "x"}', "its asin must be"),
    "a long asin": ('{"asin": "B1234567890", "title": "x"}', "its asin must be"),
    "three prices": ('{"asin": "B1", "title": "x", "price": [1, 2, 3]}', "its price must be nothing, one price"),
    "a price below 0": ('{"asin": "B1", "title": "x", "price": [-1]}', "its price must be nothing, one price"),
    "a range upside down": ('{"asin": "B1", "title": "x", "price": [2, 1]}', "its price must be nothing, one price"),
    "options in a list": ('{"asin": "B1", "title": "x", "options": ["red"]}', "options must be object, not array"),
    "twice the same": ('{"asin": "B1", "title": "x"}\n{"asin": "B1", "title": "x"}', "there are two products 'B1'"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_product_is_named_by_its_line(tmp_path, name):
    line, why = WRONG[name]
    path = tmp_path / "products.jsonl"
    path.write_text('{"asin": "B0", "title": "good"}\n\n' + line, encoding="utf-8")
    with pytest.raises(EnvError, match="line [34]") as error:
        Shop(path)(shop_small.task())
    assert why in str(error.value)


def test_no_file_a_changed_another_and_a_large_one(tmp_path, monkeypatch):
    path = tmp_path / "products.jsonl"
    with pytest.raises(EnvError, match="the shop cannot be opened"):
        Shop(path)(shop_small.task())
    with pytest.raises(EnvError, match="no such file, or none of WebShop's"):
        Shop(tmp_path)(shop_small.task())
    written(path, SHOPFUL[:1])
    first = Shop(path).snapshot
    written(path, SHOPFUL[:2])
    assert Shop(path).snapshot != first and catalogue(path).get("B000000002")
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as base:
        base.execute("CREATE TABLE texts (text TEXT)")
    with pytest.raises(EnvError, match="is no catalogue"):
        catalogue(tmp_path / "other.sqlite")
    path = written(tmp_path / "products.jsonl")
    module = sys.modules["react_lab.envs.shop.catalogue"]  # a function has its name, too
    monkeypatch.setattr(module, "LARGE", path.stat().st_size - 1)
    with pytest.raises(EnvError, match="make a catalogue of it once"):
        catalogue(path)
    stored = store(path, tmp_path / "shop.sqlite")
    assert catalogue(stored).get(LAMP.asin) == LAMP  # however large this one is


def test_a_stored_catalogue_is_the_same_shop(tmp_path):
    path = written(tmp_path / "products.jsonl")
    stored = store(path, tmp_path / "shop.sqlite")
    small, large = catalogue(path), catalogue(stored)
    assert large.get(LAMP.asin) == LAMP and large.get("B9") is None
    assert large.snapshot == f"{small.snapshot}, fts5"
    assert large.search("brass desk lamp")[0] == LAMP.asin == small.search("brass desk lamp")[0]
    assert len(large.search("lamp")) == 50 and large.search("zzz") == [] == large.search("?!")
    assert Shop(stored)(shop_small.task()).reset(shop_small.task())
    with pytest.raises(ValueError, match="is there already"):
        store(path, stored)
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"asin": "B1", "title": "x"}\n{', encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ValueError, match="line 2, is no product"):
            store(wrong, tmp_path / "half.sqlite")
    assert not (tmp_path / "half.sqlite").exists()
    assert store(path, tmp_path / "half.sqlite").exists()


# ---------------------------------------------------------------------- search
@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return catalogue(written(tmp_path_factory.mktemp("shop") / "products.jsonl"))


def test_what_has_the_rarest_words_is_found_first(index):
    assert index.search("lamps with a shade")[0] == "B000000002"  # stemmed
    assert index.search("lavender OR \"oil'")[0] == "B000000003"
    assert index.search("12 inch | 30 cm")[0] == LAMP.asin  # an option
    assert index.search("paint") == []  # the first feature only
    assert index.search("warm light")[0] == LAMP.asin
    assert len(index.search("lamp", 7)) == 7 and index.search("") == [] == index.search("the zzz")


@given(query=st.text(max_size=40) | st.text('"*()^:+-~AND OR NOT NEAR{}[]\\/', max_size=30))
def test_any_query_is_a_search(index, query):
    assert {*index.search(query)} <= {one.asin for one in SHOPFUL}
