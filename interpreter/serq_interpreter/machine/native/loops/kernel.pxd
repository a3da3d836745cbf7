# The types of `kernel.py`, for the compiler.

cimport cython
from libc cimport math

from serq_lsp_native cimport opcodes

cdef double INF, SLACK, LARGEST, TO_WHOLE

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

@cython.final
cdef class EventKernel:
    cdef object hooks
    cdef long long[::1] code, stage_of, after, other, kinds, servers
    cdef double[::1] constants, capacity
    cdef list functions, tags, streams
    cdef long long entry, width, serial_place, turn_place, n_stages, wanted
    cdef double rate
    cdef bint any_shared
    cdef long long[::1] present, completed, filled
    cdef double[::1] mean_wait, mean_service, area, time_used, samples, stack
    cdef bint places
    cdef double[::1] sample_times, sample_turns
    cdef long long[::1] sample_serials
    cdef public bint whole, measuring
    cdef public double per, tick_rate, surely, now, seconds, limit, stop, warmup, arrival_time
    cdef double next_time
    cdef long long next_kind, next_row
    cdef public long long arrival_number, sequence, same, live, arrivals, ended, turns, events
    cdef public double live_area, live_since, measured_from, last_end, backlog_limit
    cdef public long long most_live, most_events, most_readies
    cdef const double[::1] gaps, initial, block, own_chunk
    cdef long long gap_at, gap_stop, initial_at, initial_stop, block_at, block_stop, own_start, own_stop
    cdef long long source, block_turn
    cdef object stream
    cdef Heap heap
    cdef double[::1] due, since, virtual, share, touched
    cdef long long[::1] due_number, serving, busy, first, last, started_count, changed
    cdef long long first_ready, last_ready
    cdef long long n_rows, n_used, free
    cdef double[::1] vector, joined, work, started, own, instant
    cdef long long[::1] counter, serial, turn, ready_count, link, drawn

    cdef start_clock(self)
    cdef start_counts(self)
    cdef start_draws(self)
    cdef start_stages(self)
    cdef start_rows(self)
    @cython.locals(size=cython.longlong)
    cdef int more_rows(self) except -1

    @cython.locals(_=cython.longlong)
    cpdef bint run(self, long long granted) except -1
    cdef bint drained(self) noexcept
    @cython.locals(i=cython.longlong, time=double, number=cython.longlong, kind=cython.longlong, row=cython.longlong, heap=Heap)
    cdef void earliest(self) noexcept
    cdef bint find_event(self) noexcept
    @cython.locals(i=cython.longlong, kind=cython.longlong, row=cython.longlong)
    cdef int process(self) except -1
    @cython.locals(time=double)
    cdef int advance(self) except -1
    @cython.locals(i=cython.longlong, area=double)
    cdef int integrate(self, double elapsed) except -1
    @cython.locals(i=cython.longlong)
    cdef int end_warmup(self) except -1
    cdef int change_live(self, long long step) except -1
    cdef int make_ready(self, long long row) except -1
    @cython.locals(product=double, nearest=double)
    cdef double later(self, double duration) except? -1.0
    @cython.locals(product=double, nearest=double)
    cdef double later_up(self, double duration) except? -1.0
    @cython.locals(i=cython.longlong, row=cython.longlong)
    cdef Py_ssize_t arrive(self) except -1
    cdef double next_gap(self) except? -1.0
    @cython.locals(kind=cython.longlong, begun=double)
    cdef Py_ssize_t finish(self, long long i, long long row) except -1
    @cython.locals(heap=Heap, tag=double, row=cython.longlong)
    cdef Py_ssize_t finish_shared(self, long long i) except -1
    @cython.locals(heap=Heap, kind=cython.longlong)
    cdef int join(self, long long i, long long row, double work) except -1
    cdef int serve_alone(self, long long i, long long row) except -1
    @cython.locals(time=double)
    cdef int serve(self, long long i, long long row) except -1
    cdef void wait_in_line(self, long long i, long long row) noexcept
    @cython.locals(row=cython.longlong)
    cdef long long next_in_line(self, long long i) noexcept
    cdef void touch(self, long long i) noexcept
    @cython.locals(heap=Heap, wait=double)
    cdef int retime(self, long long i) except -1
    @cython.locals(drawn=cython.longlong)
    cdef double uniform(self, long long row) except? -1.0
    @cython.locals(serial=cython.longlong, at=cython.longlong, i=cython.longlong)
    cdef int load_own(self, long long row) except -1
    cdef int open_block(self, long long row, long long turn) except -1
    cdef double exponential(self, long long row, double mean) except? -1.0
    @cython.locals(n=cython.longlong, result=double, _=cython.longlong)
    cdef double erlang(self, long long row, long long sample, double phases, double mean) except? -1.0
    @cython.locals(v=double, p=double, share=double)
    cdef double hyperexponential(self, long long row, double mean, double cv2) except? -1.0
    @cython.locals(n=cython.longlong, at=cython.longlong)
    cdef int observe(self, long long row, long long i, double value) except -1
    cdef int begin_work(self, long long row, long long state, double work) except -1
    cdef int end(self, long long row) except -1
    cdef int begin_turn(self, long long row, bint draws) except -1
    cdef Py_ssize_t branch(self, long long row, long long state, double value, long long at) except -1
    @cython.locals(code="long long[::1]", stack="double[::1]", at=cython.longlong, base=cython.longlong, top=cython.longlong, op=cython.longlong, argument=cython.longlong)
    cdef int go(self, long long row) except -1
    @cython.locals(stack="double[::1]", x=double, first=double)
    cdef Py_ssize_t draw(self, long long op, long long argument, long long row, long long top) except -1
    @cython.locals(stack="double[::1]", x=double, first=double)
    cdef Py_ssize_t operate(self, long long op, long long argument, long long top) except -1
