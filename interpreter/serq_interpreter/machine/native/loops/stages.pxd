# The types of `stages.py`, for the compiler.

cimport cython
from libc cimport math

from serq_lsp_native cimport heaps, opcodes, rows

cdef double INF, LARGEST, TO_WHOLE

cdef class Stages(rows.Rows):
    cdef long long[::1] kinds, servers, present, completed
    cdef double[::1] capacity, mean_wait, mean_service, area, time_used
    cdef long long n_stages
    cdef bint any_shared
    cdef public bint whole, measuring
    cdef public double per, tick_rate, surely, now, seconds
    cdef public long long sequence
    cdef heaps.Heap heap
    cdef list tags
    cdef double[::1] due, since, virtual, share, touched
    cdef long long[::1] due_number, serving, busy, first, last, started_count, changed

    cdef start_clock(self)
    cdef start_stages(self)
    @cython.locals(i=cython.longlong, area=double)
    cdef int integrate(self, double elapsed) except -1
    @cython.locals(i=cython.longlong)
    cdef int start_areas(self) except -1
    @cython.locals(product=double, nearest=double)
    cdef double later(self, double duration) except? -1.0
    @cython.locals(product=double, nearest=double)
    cdef double later_up(self, double duration) except? -1.0
    @cython.locals(kind=cython.longlong, begun=double)
    cdef Py_ssize_t finish(self, long long i, long long row) except -1
    @cython.locals(heap=heaps.Heap, tag=double, row=cython.longlong)
    cdef Py_ssize_t finish_shared(self, long long i) except -1
    @cython.locals(heap=heaps.Heap, kind=cython.longlong)
    cdef int join(self, long long i, long long row, double work) except -1
    cdef int serve_alone(self, long long i, long long row) except -1
    @cython.locals(time=double)
    cdef int serve(self, long long i, long long row) except -1
    cdef void wait_in_line(self, long long i, long long row) noexcept
    @cython.locals(row=cython.longlong)
    cdef long long next_in_line(self, long long i) noexcept
    cdef void touch(self, long long i) noexcept
    @cython.locals(heap=heaps.Heap, wait=double)
    cdef int retime(self, long long i) except -1
