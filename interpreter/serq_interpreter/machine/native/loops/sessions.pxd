# The types of `sessions.py`, for the compiler.

cimport cython
from libc cimport math

from serq_lsp_native cimport opcodes, stages

cdef double INF, SLACK

cdef class Sessions(stages.Stages):
    cdef long long[::1] code, stage_of, after, other, filled, sample_serials
    cdef double[::1] constants, samples, sample_times, sample_turns, stack
    cdef list functions
    cdef long long turn_place, first_ready, last_ready
    cdef bint places
    cdef double gap
    cdef public long long live, ended, turns, most_live, most_readies
    cdef public double live_area, live_since, last_end, backlog_limit

    cdef int change_live(self, long long step) except -1
    cdef int make_ready(self, long long row) except -1
    @cython.locals(n=cython.longlong, at=cython.longlong)
    cdef int observe(self, long long row, long long i, double value) except -1
    cdef int begin_work(self, long long row, long long state, double work) except -1
    cdef int end(self, long long row) except -1
    cdef int begin_turn(self, long long row, bint draws) except -1
    cdef Py_ssize_t branch(self, long long row, long long state, double value, long long at) except -1
    @cython.locals(code="long long[::1]", stack="double[::1]", base=cython.longlong, top=cython.longlong, op=cython.longlong, argument=cython.longlong)
    cdef int go(self, long long row, long long at) except -1
    @cython.locals(stack="double[::1]", x=double, first=double)
    cdef Py_ssize_t draw(self, long long op, long long argument, long long row, long long top) except -1
    @cython.locals(stack="double[::1]", x=double, first=double)
    cdef Py_ssize_t operate(self, long long op, long long argument, long long top) except -1
