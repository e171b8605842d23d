/* advisor/: advice and all that is made of it. Rooms, bottom up: say/ rules/ options/ try/ measure/
 * result/ apply/ gate/ diff/ compiled/ tables/ text/ html/ forms/ card/ cli/. */
