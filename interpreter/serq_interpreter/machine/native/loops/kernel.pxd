# The types of `kernel.py`, for the compiler.

cimport cython
from libc cimport math

from serq_lsp_native cimport heaps, opcodes, sessions

cdef double INF

@cython.final
cdef class EventKernel(sessions.Sessions):
    cdef long long entry, serial_place, wanted, gap_entry, next_kind, next_row
    cdef public double limit, stop, warmup, arrival_time, measured_from
    cdef public long long arrival_number, same, arrivals, events, most_events
    cdef double next_time, rate

    cdef start_agenda(self)
    @cython.locals(_=cython.longlong)
    cpdef bint run(self, long long granted) except -1
    cdef bint drained(self) noexcept
    @cython.locals(i=cython.longlong, time=double, number=cython.longlong, kind=cython.longlong, row=cython.longlong, heap=heaps.Heap)
    cdef void earliest(self) noexcept
    cdef bint find_event(self) noexcept
    @cython.locals(i=cython.longlong, kind=cython.longlong, row=cython.longlong)
    cdef int process(self) except -1
    @cython.locals(time=double)
    cdef int advance(self) except -1
    cdef int end_warmup(self) except -1
    cdef double next_gap(self) except? -1.0
    @cython.locals(row=cython.longlong)
    cdef Py_ssize_t arrive(self) except -1
