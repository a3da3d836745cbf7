# The types of `heaps.py`, for the compiler.

cimport cython

from serq_lsp_native cimport opcodes

@cython.locals(new=cython.double[::1], i=cython.Py_ssize_t)
cdef longer_doubles(const double[::1] old, long long size)

@cython.locals(new="long long[::1]", i=cython.Py_ssize_t)
cdef longer_numbers(const long long[::1] old, long long size)

@cython.final
cdef class Heap:
    cdef long long size
    cdef double[::1] times
    cdef long long[::1] numbers, kinds, rows

    @cython.locals(at=cython.longlong, above=cython.longlong)
    cdef int push(self, double time, long long number, long long kind, long long row) except -1
    @cython.locals(at=cython.longlong, below=cython.longlong, last=cython.longlong, time=double, number=cython.longlong)
    cdef int pop(self) except -1
    cdef bint before(self, long long one, long long other) noexcept
    cdef void move(self, long long source, long long target) noexcept
    cdef void put(self, long long at, double time, long long number, long long kind, long long row) noexcept
    @cython.locals(size=cython.longlong)
    cdef int grow(self) except -1
