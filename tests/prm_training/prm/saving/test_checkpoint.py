"""prm_training.prm.saving.checkpoint: files that are whole or absent."""

import errno

import pytest
import torch

from prm_training.prm.saving import checkpoint


@pytest.mark.parametrize("size", [1, 1 << 16])
def test_a_full_disk_is_the_error_and_the_old_state_stays(tmp_path, size):
    """Torch's own errors for a full disk don't mention a disk."""
    path = tmp_path / "state"
    checkpoint.save_state(path, {"step": 1})
    (tmp_path / "state.partial").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as raised:
        checkpoint.save_state(path, {"step": 2, "weights": torch.zeros(size)})
    assert raised.value.errno == errno.ENOSPC
    assert checkpoint.load_state(path) == {"step": 1}
