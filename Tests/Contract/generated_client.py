"""A backend and a user on a server with the gallery, by the client that openapi-python-client has made.

Usage: generated_client.py URL BACKEND_KEY, with the folder of the client in PYTHONPATH.
"""

import sys

from usher_client import AuthenticatedClient
from usher_client.api.default import (
    end_sessions_of_subject,
    list_sessions_of_subject,
    open_session,
    send_event,
    send_message,
)
from usher_client.models import BackInput, EndedSessions, EventInput, Message, Opened, Opening, Problem, State
from usher_client.models import SubjectSessions

url, key = sys.argv[1:]


def expect(kind, answer):
    """The answer, if it is of this kind."""
    assert isinstance(answer, kind), f"expected {kind.__name__}, got {answer}"
    return answer


backend = AuthenticatedClient(base_url=url, token=key)
opened = expect(Opened, open_session.sync(client=backend, body=Opening(app="gallery", subject="kim")))
id = opened.session
user = AuthenticatedClient(base_url=url, token=opened.token)

told = expect(State, send_message.sync(id, client=backend, body=Message(message={"note": {"text": "shipped"}})))
assert [screen.screen for screen in told.stack] == ["menu", "echo"], told
assert told.stack[-1].state == {"text": "shipped"}, told

back = BackInput(back=True, screen=told.stack[-1].id)
assert len(expect(State, send_event.sync(id, client=user, body=back)).stack) == 1
late = expect(Problem, send_event.sync(id, client=user, body=back))
assert (late.status, late.type_) == (409, "urn:usher:problem:stale-screen"), late
assert late.current.session == id, late
event = EventInput(event="sheet", screen=opened.stack[-1].id)
assert expect(State, send_event.sync(id, client=user, body=event)).stack[-1].shown == "sheet"

listed = expect(SubjectSessions, list_sessions_of_subject.sync(client=backend, subject="kim"))
assert [session.session for session in listed.sessions] == [id], listed
assert expect(EndedSessions, end_sessions_of_subject.sync(client=backend, subject="kim")).ended == 1
