"""The closed lists of words that messages and files use.

Values are written into users' files and never change; new ones ship in readers before writers.
"""

from enum import StrEnum


class PageType(StrEnum):
    LIST = "list"
    LIST_DETAIL = "list+detail"
    CREATE = "create"
    DETAIL = "detail"
    TOOL = "tool"
    DASHBOARD = "dashboard"
    SETTINGS = "settings"


class Policy(StrEnum):
    """How far a run may go: look only, open and fill, or everything but leaving."""

    READ_ONLY = "read-only"
    SAFE = "safe"
    FULL = "full"


class Area(StrEnum):
    """The part of a page under which a node stands in the action tree, in file order."""

    TOOLBAR = "toolbar"
    ROW_ACTIONS = "row_actions"
    DETAIL_HEADER = "detail_header_actions"
    DETAIL_TABS = "detail_tabs"
    OTHER = "other"


class NodeType(StrEnum):
    BUTTON = "button"
    DROPDOWN_TRIGGER = "dropdown_trigger"
    DROPDOWN_ITEM = "dropdown_item"
    SUBMENU_TRIGGER = "submenu_trigger"
    TAB = "tab"
    FILTER = "filter"
    TOGGLE = "toggle"
    LINK = "link"
    WIZARD_STEP = "wizard_step"
    FIELD = "field"


class NodeState(StrEnum):
    ENABLED = "enabled"
    DISABLED = "disabled"


class ActionResult(StrEnum):
    DIALOG_OPENED = "dialog_opened"
    DROPDOWN_OPENED = "dropdown_opened"
    PAGE_NAVIGATED = "page_navigated"
    NO_RESPONSE = "no_response"
    ERROR = "error"
    NOT_CLICKABLE = "not_clickable"
    CONFIRMATION_DIALOG = "confirmation_dialog"
    TOAST_NOTIFICATION = "toast_notification"
    CONTENT_CHANGED = "content_changed"
    POPUP_OPENED = "popup_opened"
    DOWNLOAD_STARTED = "download_started"
    NATIVE_DIALOG = "native_dialog"
    SKIPPED = "skipped"


class Outcome(StrEnum):
    """What an `ActionResult` alone does not say."""

    PAGE_HANG = "page_hang"
    PAGE_CRASH = "page_crash"
    OBSCURED = "obscured"
    REPLAY_DIVERGED = "replay_diverged"
    AUTH_LOST = "auth_lost"
    ALREADY_SELECTED = "already_selected"
    NEEDS_SELECTION = "needs_selection"
    NOTHING_TO_DO = "nothing_to_do"
    ENVIRONMENT = "environment"
    FOR_DRAGGING = "for_dragging"
    CURRENT_PAGE = "current_page"
    VALIDATION_SHOWN = "validation_shown"
    TOGGLED = "toggled"
    FILLED = "filled"
    EXTERNAL_BLOCKED = "external_blocked"
    LEAVE_HELD = "leave_held"
    POLICY = "policy"
    BUDGET = "budget"
    SHARED = "shared"
    FILE_CHOOSER = "file_chooser"
    PRINTED = "printed"
    COPIED = "copied"
    FOCUSED = "focused"
    SCROLLED = "scrolled"
    REQUEST_SENT = "request_sent"


class BugKind(StrEnum):
    PAGE_ERROR = "page_error"
    UNHANDLED_REJECTION = "unhandled_rejection"
    CONSOLE_ERROR = "console_error"
    HTTP_5XX = "http_5xx"
    HTTP_4XX = "http_4xx"
    REQUEST_FAILED = "request_failed"
    DEAD_CONTROL = "dead_control"
    BLANK_PAGE = "blank_page"
    ERROR_PAGE = "error_page"
    PAGE_HANG = "page_hang"
    PAGE_CRASH = "page_crash"
    BROKEN_IMAGE = "broken_image"
    BROKEN_RESOURCE = "broken_resource"
    STUCK_LOADING = "stuck_loading"
    TEXT_LEAK = "text_leak"
    LAYOUT_OVERLAP = "layout_overlap"
    TEXT_CLIPPED = "text_clipped"
    OVERFLOW_X = "overflow_x"
    OFFSCREEN_CONTROL = "offscreen_control"
    A11Y = "a11y"
    FOCUS_TRAP_BROKEN = "focus_trap_broken"
    DIALOG_CANNOT_CLOSE = "dialog_cannot_close"
    INCONSISTENT = "inconsistent"
    UNEXPECTED_LOGIN = "unexpected_login"
    SLOW_ACTION = "slow_action"
    COUNT_MISMATCH = "count_mismatch"


class Severity(StrEnum):
    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"


class BugSource(StrEnum):
    TESTER = "tester-reported"
    REVIEWER = "reviewer-found"


class Verdict(StrEnum):
    """What the review says of a bug: it showed in every fresh run, in some, in none, or it could
    not be looked at.
    """

    CONFIRMED = "confirmed"
    FLAKY = "flaky"
    REFUTED = "refuted"
    UNCHECKED = "unchecked"


class RouteStatus(StrEnum):
    """What a route's report says of the test, not of the app alone."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    PARTIAL = "partial"
    FAIL = "fail"


class ReviewStatus(StrEnum):
    PENDING = "review_pending"
    COMPLETE = "review_complete"
    FAILED = "review_failed"


class RunStatus(StrEnum):
    RUNNING = "running"
    BLOCKED = "blocked"
    COMPLETED = "completed"


class FailureReason(StrEnum):
    """Why a job has no result. Those in `BLOCKING` stop the run: no route would fare better."""

    NO_REPORT = "no_report"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    LOST_TWICE = "worker_lost_twice"
    NOT_DECODED = "not_decoded"
    REDIRECTED_OUT = "redirected_out"
    AUTH_LOST = "auth_lost"
    LOGIN_FAILED = "login_failed"
    APP_UNREACHABLE = "app_unreachable"
    BROWSER_MISSING = "browser_missing"
    HANDED_BACK = "handed_back"


BLOCKING = frozenset(
    {
        FailureReason.LOGIN_FAILED,
        FailureReason.APP_UNREACHABLE,
        FailureReason.BROWSER_MISSING,
    }
)


class Layer(StrEnum):
    """The layers that scenarios stand in; L0, the static gate, has none."""

    L1 = "L1"
    L2 = "L2"
    L3 = "L3"


class Priority(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"


class Category(StrEnum):
    API_CONTRACT = "api_contract"
    BUSINESS_RULE = "business_rule"
    STATE_TRANSITION = "state_transition"
    USER_FLOW = "user_flow"
    NON_FUNCTIONAL = "non_functional"
    UNIT = "unit"
    INTEGRATION = "integration"
    E2E = "e2e"


class Source(StrEnum):
    """Where a scenario comes from."""

    SPEC = "spec"
    GAP = "gap"
    CODE = "code"
    EXPLORATION = "exploration"
    REVIEW_FINDING = "review_finding"
    DEBUG_ROOT_CAUSE = "debug_root_cause"


class ScenarioStatus(StrEnum):
    PENDING = "pending"
    WRITTEN = "written"
    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"


class ResultStatus(StrEnum):
    """What a writer or a diagnostician says of its own work."""

    COMPLETED = "completed"
    FAILED = "failed"
    BLOCKED = "blocked"


class RedResult(StrEnum):
    """How a test fared when its writer ran it for the first time."""

    EXPECTED_FAIL = "expected_fail"
    UNEXPECTED_FAIL = "unexpected_fail"
    PASS = "pass"  # noqa: S105 - a verdict, not a password


class Classification(StrEnum):
    """Whose fault a failure is."""

    TEST_DEFECT = "test_defect"
    CODE_DEFECT = "code_defect"
    ENV_ISSUE = "env_issue"


class SourceRoute(StrEnum):
    """The entry of a suite run, as files call it; a run that is resumed keeps its own."""

    SPEC = "spec"
    GAP = "gap"
    CODE = "code"
    RE_RUN = "re-run"


class Strategy(StrEnum):
    CONSERVATIVE = "conservative"
    AGGRESSIVE = "aggressive"
    SURGICAL = "surgical"
    REFLECTIVE = "reflective"


class SuiteStatus(StrEnum):
    RUNNING = "running"
    CONVERGED = "converged"
    MAX_ITER_REACHED = "max_iter_reached"
    CONFIRMED_DEFECTS = "confirmed_defects"
    SINGLE_PASS = "single_pass"  # noqa: S105 - one iteration, not a password
    BLOCKED = "blocked"
    PLANNED = "planned"
    L0_FAILED = "l0_failed"
