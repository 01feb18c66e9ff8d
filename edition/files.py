"""Files are written as the package writes them; what a system says where it has no room for one."""

import errno

from capacity._files import write_atomically

__all__ = ["NO_SPACE", "write_atomically"]

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
