"""Texts of members (Markdown) as HTML that can do no harm (T16). The libraries are imported when the first is shown."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from markupsafe import Markup

# No pictures: they would be fetched from elsewhere.
TAGS: Final = frozenset(("p", "br", "em", "strong", "s", "blockquote", "ul", "ol", "li", "hr", "code", "pre", "a"))
HEADINGS: Final = frozenset(("h4", "h5", "h6"))
DEEPER: Final = 3  # a text's first heading is the page's fourth


def html(text: str) -> Markup:
    """The text as HTML: paragraphs, emphasis, lists, quotations, code, links; everything else as it was typed."""
    return Markup(_renderer()(text))


def quoted(text: str, who: str) -> str:
    """The text as a quotation in Markdown, with who wrote it."""
    lines = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    return f"> **{who}**\n>\n{lines}\n\n"


@functools.cache
def _renderer() -> Callable[[str], str]:
    import nh3
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("strikethrough").disable("image")
    markdown.core.ruler.push("deeper", _deepen)
    clean = functools.partial(
        nh3.clean,
        tags={*TAGS, *HEADINGS},
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener noreferrer",
    )
    return lambda text: clean(markdown.render(text))


def _deepen(state: Any) -> None:
    """Headings as deep as they stand in the page."""
    tokens: Sequence[Any] = state.tokens
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + DEEPER)}"
