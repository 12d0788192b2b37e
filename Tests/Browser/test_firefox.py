"""What people do most, in the Firefox that is installed; where there is none, this is left out."""

import pytest

# Collected here once more, to be run with the browser below.
from test_ten_things import test_all_of_it_is_done_with_the_page_alone  # noqa: F401


@pytest.fixture
def browser(firefox):
    return firefox
