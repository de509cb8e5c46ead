@NullMarked
package dev.rollcall.jobs.container;

import org.jspecify.annotations.NullMarked;
