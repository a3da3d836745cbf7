# The types of `rows.py`, for the compiler.

cimport cython
from libc cimport math

from serq_lsp_native cimport blocks, heaps, opcodes

cdef class Rows:
    cdef object hooks
    cdef unsigned long long seed
    cdef long long width, n_rows, n_used, free
    cdef const double[::1] gaps
    cdef unsigned int[::1] key
    cdef double[::1] block
    cdef long long gap_at, gap_stop, block_at, block_number, block_turn, source
    cdef double[::1] vector, joined, work, started, own, instant
    cdef long long[::1] counter, serial, turn, ready_count, link, drawn

    cdef start_draws(self)
    cdef start_rows(self)
    @cython.locals(size=cython.longlong)
    cdef int more_rows(self) except -1
    @cython.locals(i=cython.longlong, row=cython.longlong)
    cdef Py_ssize_t new_row(self, long long serial, double now) except -1
    cdef int release(self, long long row) except -1
    cdef double arrival_uniform(self) except? -1.0
    @cython.locals(drawn=cython.longlong, serial=cython.longlong, place=cython.longlong, at=cython.longlong)
    cdef double uniform(self, long long row) except? -1.0
    cdef void open_block(self, long long turn) noexcept
    cdef double exponential(self, long long row, double mean) except? -1.0
    @cython.locals(n=cython.longlong, result=double, _=cython.longlong)
    cdef double erlang(self, long long row, long long sample, double phases, double mean) except? -1.0
    @cython.locals(v=double, p=double, share=double)
    cdef double hyperexponential(self, long long row, double mean, double cv2) except? -1.0
