"""What may be used, and which requests may leave: the trust boundary as tables."""

import msgspec
import pytest

from contract.jobs import Safety
from contract.vocabulary import Policy
from tests.workers.browser.sights import BASE
from workers.browser.page_port import Control, Field
from workers.browser.policy import Rules

LEAVING = {
    "English": "Log out",
    "English, one word": "Signout",
    "German": "Abmelden",
    "French": "Se déconnecter",
    "Spanish": "Cerrar sesión",
    "Chinese": "退出登录",
    "Japanese": "ログアウト",
}
RISKY = {
    "English": "Delete user",
    "German": "Konto löschen",
    "French": "Supprimer",
    "Spanish": "Eliminar pedido",
    "Chinese": "删除用户",
    "Japanese": "削除する",
}
HARMLESS = (
    "Undeleted items",
    "Resettlement",
    "Stopwatch",
    "Payload",
    "Sender",
    "Edit",
    "Details",
    "Show removed columns only",
)


def rules(policy: Policy = Policy.READ_ONLY, **safety: tuple[str, ...]) -> Rules:
    return Rules(Safety(policy=policy, **safety), BASE)


def button(label: str, **more: object) -> Control:
    return msgspec.convert({"key": "k", "label": label, **more}, Control)


def link(label: str, href: str) -> Control:
    return Control(key="k", label=label, role="link", tag="a", href=href)


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("label", LEAVING.values(), ids=LEAVING)
def test_log_out_is_pressed_at_no_level(label: str, policy: Policy) -> None:
    assert rules(policy).forbids(button(label)) == "log-out is never pressed"


@pytest.mark.parametrize(
    "control",
    [
        button("", hints="icon-sign-out"),
        button("", hints="fa fa-power-off"),
        button("⏻", hints="bi bi-box-arrow-right"),
        link("Goodbye", f"{BASE}/logout"),
        link("Goodbye", f"{BASE}/account/sign-out?next=/"),
        button("Exit", hints="log out"),
    ],
    ids=["icon", "power", "symbol", "address", "address with query", "title"],
)
@pytest.mark.parametrize("policy", Policy)
def test_log_out_without_the_word_is_known_by_icon_title_or_address(
    control: Control, policy: Policy
) -> None:
    assert rules(policy).forbids(control) == "log-out is never pressed"


@pytest.mark.parametrize("label", RISKY.values(), ids=RISKY)
def test_a_risky_word_is_not_pressed_when_only_looking(label: str) -> None:
    rule = rules().forbids(button(label))

    assert rule is not None
    assert rule.startswith("read-only: “")


@pytest.mark.parametrize("label", RISKY.values(), ids=RISKY)
def test_a_risky_word_opens_when_safe_but_is_not_confirmed_in_a_dialog(label: str) -> None:
    safe = rules(Policy.SAFE)

    assert safe.forbids(button(label)) is None
    assert safe.forbids(button(label, dialog="Are you sure?")) is not None


@pytest.mark.parametrize("label", RISKY.values(), ids=RISKY)
def test_a_risky_word_is_pressed_when_everything_is_allowed(label: str) -> None:
    full = rules(Policy.FULL)

    assert full.forbids(button(label)) is None
    assert full.forbids(button(label, dialog="Are you sure?")) is None


@pytest.mark.parametrize("label", HARMLESS)
def test_a_word_that_only_contains_a_risky_one_is_pressed(label: str) -> None:
    assert rules().forbids(button(label)) is None


def test_an_icon_without_a_label_is_read_by_its_class() -> None:
    assert rules().forbids(button("", hints="icon trash")) is not None
    assert rules().forbids(button("Tidy up", hints="icon trash")) is None


def test_a_plain_link_is_followed_whatever_it_is_called() -> None:
    assert rules().forbids(link("Send", f"{BASE}/messages")) is None


def test_a_link_whose_address_names_what_is_risky_is_not_followed() -> None:
    assert rules().forbids(link("×", f"{BASE}/users/7/delete")) is not None


def test_a_field_is_filled_whatever_it_is_called() -> None:
    field = Control(key="k", label="Send to", role="textbox", field=Field(kind="text"))

    assert rules().forbids(field) is None


@pytest.mark.parametrize("policy", Policy)
def test_another_origin_is_entered_only_when_everything_is_allowed_and_it_is_on_the_list(
    policy: Policy,
) -> None:
    outside = link("Docs", "https://docs.test/start")

    allowing = rules(policy, allow_origins=("https://docs.test",))

    assert rules(policy).forbids(outside) == "leads to another origin, https://docs.test"
    assert (allowing.forbids(outside) is None) is (policy is Policy.FULL)


@pytest.mark.parametrize("href", ["mailto:a@shop.test", "tel:555", "slack://open"])
def test_a_link_that_opens_another_program_is_not_pressed(href: str) -> None:
    rule = rules(Policy.FULL).forbids(link("Contact", href))

    assert rule is not None
    assert rule.startswith("opens another program")


@pytest.mark.parametrize("href", ["", "#top", "javascript:void(0)", f"{BASE}/users"])
def test_a_link_inside_the_app_is_pressed(href: str) -> None:
    assert rules().forbids(link("Go", href)) is None


@pytest.mark.parametrize(
    "label", ["Cancel", "Close", "×", "Not now", "Abbrechen", "Annuler", "Cancelar", "取消"]
)
def test_a_word_closes_without_doing(label: str) -> None:
    assert rules().closes(button(label))


@pytest.mark.parametrize("label", ["Cancel order", "Closed tickets", "Save", ""])
def test_a_word_that_does_more_than_close_does_not_count_as_closing(label: str) -> None:
    assert not rules().closes(button(label))


def test_a_button_without_a_label_closes_if_its_class_says_so() -> None:
    assert rules().closes(button("", hints="btn close"))


@pytest.mark.parametrize(
    "label", ["Next", "Next ›", "Continue", "Weiter", "Suivant", "Siguiente", "下一步", "次へ"]
)
def test_a_word_leads_one_step_on(label: str) -> None:
    assert rules().advances(label)


@pytest.mark.parametrize("label", ["Nextcloud", "Discontinue", "Back", ""])
def test_a_word_that_only_looks_like_it_does_not_lead_on(label: str) -> None:
    assert not rules().advances(label)


@pytest.mark.parametrize(
    ("method", "url", "resource", "read_only", "safe", "full"),
    [
        ("GET", "/orders", "Document", True, True, True),
        ("GET", "/api/orders", "Fetch", True, True, True),
        ("HEAD", "/api/orders", "XHR", True, True, True),
        ("OPTIONS", "/api/orders", "Fetch", True, True, True),
        ("POST", "/api/orders", "Fetch", False, True, True),
        ("post", "/api/orders", "XHR", False, True, True),
        ("PUT", "/api/orders/1", "Fetch", False, True, True),
        ("PATCH", "/api/orders/1", "Fetch", False, True, True),
        ("DELETE", "/api/orders/1", "Fetch", False, False, True),
        ("POST", "/beacon", "Ping", False, True, True),
        ("POST", "/orders", "Document", False, True, True),
        ("GET", "/logout", "Document", False, False, False),
        ("GET", "/api/auth/signout", "Fetch", False, False, False),
        ("POST", "/logout", "Fetch", False, False, False),
        ("GET", "https://docs.test/", "Document", False, False, False),
        ("GET", "https://api.test/data", "Fetch", True, True, True),
        ("GET", "data:text/plain,hello", "Document", True, True, True),
        ("GET", "about:blank", "Document", True, True, True),
    ],
)
def test_a_request_is_judged_by_method_address_and_kind(
    method: str, url: str, resource: str, read_only: bool, safe: bool, full: bool
) -> None:
    where = url if ":" in url else BASE + url

    let_through = {
        policy: rules(policy).judge_request(method, where, resource) is None for policy in Policy
    }

    assert let_through == {Policy.READ_ONLY: read_only, Policy.SAFE: safe, Policy.FULL: full}


def test_a_refused_request_names_its_rule_without_the_query() -> None:
    rule = rules().judge_request("POST", f"{BASE}/search?token=s3cret", "Fetch")

    assert rule == "read-only: POST /search"


def test_a_write_that_is_allowed_by_prefix_leaves_when_only_looking() -> None:
    allowing = rules(allow_requests=("POST /api/search",))

    assert allowing.judge_request("POST", f"{BASE}/api/search/orders", "Fetch") is None
    assert allowing.judge_request("PUT", f"{BASE}/api/search/orders", "Fetch") is not None
    assert allowing.judge_request("POST", f"{BASE}/api/orders", "Fetch") is not None


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("rule", ["/api/billing", "POST /api/billing"])
def test_what_is_denied_by_prefix_leaves_at_no_level(policy: Policy, rule: str) -> None:
    denying = rules(policy, deny_requests=(rule,), allow_requests=("POST /",))

    assert denying.judge_request("POST", f"{BASE}/api/billing/charge", "Fetch") is not None
    assert denying.judge_request("POST", f"{BASE}/api/orders", "Fetch") is None


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ('{"query": "query Orders { orders { id } }"}', True),
        ('{"query": "{ orders { id } }"}', True),
        ('[{"query": "{ a }"}, {"query": "query { b }"}]', True),
        ('{"query": "mutation { deleteOrder(id: 1) }"}', False),
        ('{"query": "query A { a } mutation B { b }", "operationName": "B"}', False),
        ('[{"query": "{ a }"}, {"query": "mutation { b }"}]', False),
        ('{"query": "subscription { orders }"}', False),
        ('{"query": "mutat\\u0069on { b }"}', False),
        ('{"id": "persisted"}', False),
        ("[]", False),
        ("", False),
        ("not JSON", False),
    ],
)
def test_a_graphql_query_reads_and_a_mutation_writes(body: str, reads: bool) -> None:
    rule = rules().judge_request("POST", f"{BASE}/graphql", "Fetch", body)

    assert (rule is None) is reads


def test_a_body_that_looks_like_a_query_opens_no_other_address_and_no_other_method() -> None:
    query = '{"query": "{ orders { id } }"}'

    assert rules().judge_request("POST", f"{BASE}/api/orders", "Fetch", query) is not None
    assert rules().judge_request("DELETE", f"{BASE}/graphql", "Fetch", query) is not None


def test_a_control_in_a_frame_of_another_origin_is_left_alone_unless_it_is_allowed() -> None:
    framed = button("Pay later", frame="https://pay.test")

    assert rules(Policy.FULL).forbids(framed) == "in a frame of another origin, https://pay.test"
    assert rules(Policy.FULL, allow_origins=("https://pay.test",)).forbids(framed) is None


def test_a_page_of_an_allowed_origin_is_loaded() -> None:
    allowing = rules(Policy.FULL, allow_origins=("https://docs.test",))

    assert allowing.judge_request("GET", "https://docs.test/a", "Document") is None


def test_an_allowed_write_does_not_let_a_log_out_through() -> None:
    allowing = rules(allow_requests=("POST /",))

    assert allowing.judge_request("POST", f"{BASE}/logout", "Fetch") is not None


@pytest.mark.parametrize(
    ("method", "url", "resource", "safe"),
    [
        ("GET", "/delete/1", "Document", False),
        ("GET", "/items/7/delete", "Image", False),
        ("GET", "/api/deleteAll", "XHR", False),
        ("GET", "/items?action=delete&id=1", "Document", False),
        ("POST", "/items/7/remove", "Fetch", False),
        ("GET", "/account?action=logout", "Document", False),
        ("GET", "/assets/delete-dialog.js", "Script", True),
        ("GET", "/icons/delete.svg", "Image", True),
        ("GET", "/i18n/remove", "Stylesheet", True),
        ("GET", "/deleted-items", "Document", True),
        ("GET", "/delete/old/orders/list", "Document", True),
        ("GET", "/search?q=delete", "Document", True),
    ],
)
def test_an_address_that_destroys_is_not_asked_for_but_a_file_of_that_name_is(
    method: str, url: str, resource: str, safe: bool
) -> None:
    judged = [rules(policy).judge_request(method, BASE + url, resource) for policy in Policy]
    let_through = dict(zip(Policy, (rule is None for rule in judged), strict=True))

    assert let_through[Policy.SAFE] is safe
    assert let_through[Policy.READ_ONLY] is (safe and method == "GET")
    assert let_through[Policy.FULL] is ("logout" not in url)


@pytest.mark.parametrize(
    "body",
    [
        "_method=DELETE&id=1",
        '{"_method": "delete"}',
        'form-data; name="_method"\r\n\r\nDELETE\r\n',
    ],
)
def test_a_post_that_means_a_delete_is_one(body: str) -> None:
    url = f"{BASE}/items/1"

    assert rules(Policy.SAFE).judge_request("POST", url, "Fetch", body) is not None
    assert rules(Policy.FULL).judge_request("POST", url, "Fetch", body) is None
    assert rules(Policy.SAFE).judge_request("POST", url, "Fetch", "name=delete") is None


def test_a_mutation_that_is_called_so_is_not_let_through_when_safe() -> None:
    safe = rules(Policy.SAFE)
    url = f"{BASE}/graphql"

    assert safe.judge_request("POST", url, "Fetch", '{"query": "mutation { deleteItem }"}')
    assert not safe.judge_request("POST", url, "Fetch", '{"query": "mutation { addItem }"}')


def test_while_something_risky_is_used_nothing_is_written_when_safe() -> None:
    """It may open what it opens; what it does by itself is not known."""
    safe, full = rules(Policy.SAFE), rules(Policy.FULL)
    safe.using = full.using = "delete"

    assert safe.judge_request("POST", f"{BASE}/api/items/1", "Fetch") is not None
    assert safe.judge_request("GET", f"{BASE}/api/items/1", "Fetch") is None
    assert full.judge_request("POST", f"{BASE}/api/items/1", "Fetch") is None


CONFIRMING = {
    "English": "OK",
    "German": "Ja, bestätigen",
    "French": "Valider",
    "Spanish": "Aceptar",
    "Chinese": "确定",
    "Japanese": "はい",
}
CLOSING = {
    "English": "Cancel",
    "German": "Abbrechen",
    "French": "Annuler",
    "Spanish": "Cancelar",
    "Chinese": "取消",
    "Japanese": "キャンセル",
}


@pytest.mark.parametrize("label", [*CONFIRMING.values(), "Do the thing"])
def test_what_says_yes_to_something_risky_is_risky_itself(label: str) -> None:
    yes = button(label, dialog="Sure?")

    assert rules(Policy.SAFE).forbids(yes, "delete") is not None
    assert rules(Policy.SAFE).forbids(yes) is None
    assert rules(Policy.FULL).forbids(yes, "delete") is None


@pytest.mark.parametrize("label", CLOSING.values(), ids=CLOSING)
def test_what_closes_the_question_is_pressed_all_the_same(label: str) -> None:
    assert rules(Policy.SAFE).forbids(button(label, dialog="Sure?"), "delete") is None
    assert rules().closes(button(label))


def test_on_a_page_that_something_risky_led_to_only_what_says_yes_or_sends_is_left_alone() -> None:
    safe = rules(Policy.SAFE)

    assert safe.forbids(button("Yes, I am sure"), "delete") is not None
    assert safe.forbids(button("Go on", submits=True), "delete") is not None
    assert safe.forbids(button("Show details"), "delete") is None


@pytest.mark.parametrize("label", CONFIRMING.values(), ids=CONFIRMING)
def test_what_may_say_yes_is_no_way_to_close(label: str) -> None:
    assert not rules().closes(button(label))


@pytest.mark.parametrize(
    "label", ["Weiter", "Continue", "Suivant", "Siguiente", "下一步", "次へ"], ids=CLOSING
)
def test_a_step_on_is_known_in_each_language(label: str) -> None:
    assert rules().advances(label)
