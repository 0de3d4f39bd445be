"""The parts that tests of the fleet stand on do what is asked of them."""

import obstore
import pytest
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import S3Store

from fleet.s3server import S3


def opened(s3: S3, bucket: str, retries: int = 0) -> S3Store:
    s3.bucket(bucket)
    return S3Store(
        bucket,
        endpoint=s3.url,
        access_key_id="test",
        secret_access_key="test",
        region="us-east-1",
        client_options={"allow_http": True},
        retry_config={"max_retries": retries},
    )


def test_an_object_is_made_once_and_no_other_takes_its_place(s3: S3) -> None:
    store = opened(s3, "once")
    obstore.put(store, "sites/a/1", b"first", mode="create")
    with pytest.raises(AlreadyExistsError):
        obstore.put(store, "sites/a/1", b"second", mode="create")
    assert bytes(obstore.get(store, "sites/a/1").bytes()) == b"first"


def test_a_server_that_is_busy_refuses_and_answers_again_later(s3: S3) -> None:
    store = opened(s3, "busy")
    s3.refuse(3600.0)
    with pytest.raises(BaseError):
        obstore.put(store, "a", b"1")
    assert s3.refused
    s3.refuse(0.0)
    obstore.put(store, "a", b"1")
    assert obstore.head(store, "a")["size"] == 1
